#include "cli/table_source.h"

#include <fmt/core.h>

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "client/client.h"
#include "design/closest_name.h"

namespace taula::cli {

void AddTableSource(CLI::App& command, TableSource& source) {
  command.add_option("table", source.table, "The table")->required()->type_name("TABLE");
  command.add_option("--endpoint", source.endpoint, "A server that speaks DynamoDB's API")
      ->envname("TAULA_SERVER")
      ->type_name("URL")
      ->default_str("http://127.0.0.1:8000");
  command.add_option("--region", source.region, "Region to sign for, if not the usual one")->type_name("NAME");
}

std::expected<client::CallFunction, std::string> OpenServer(const TableSource& source) {
  auto client = client::Client::Open({.endpoint = source.endpoint, .region = source.region, .http = {}});
  if (!client) return std::unexpected(client.error());
  return [shared = std::shared_ptr(*std::move(client))](std::string_view operation, const std::string& body) {
    return shared->Call(operation, body);
  };
}

std::string NoSuchTable(const client::CallFunction& call, const TableSource& source) {
  std::string text = fmt::format("{} has no table '{}'.", source.endpoint, source.table);
  const auto names = transfer::TableNames(call);
  if (!names) return text;
  if (names->empty()) return text + " It has none at all.";
  const std::vector<std::string_view> known(names->begin(), names->end());
  return text + ' ' + design::SuggestName(source.table, known);
}

}  // namespace taula::cli
