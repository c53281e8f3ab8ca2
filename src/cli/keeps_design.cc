#include "cli/keeps_design.h"

#include <fmt/format.h>

#include "client/http.h"

namespace taula::cli {

bool KeepsDesign(const design::Design& design, const std::string& stage, const client::Url& url) {
  if (url.host.ends_with(".amazonaws.com")) return false;
  client::HttpConnection connection(url, {.connect_ms_max = 2000, .answer_ms_max = 2000});
  const auto response =
      connection.Send({.method = "GET", .target = fmt::format("/designs/{}", design.name), .fields = {}, .body = {}});
  if (!response || response->status != 200) return false;
  for (const design::Table& table : design.tables) {
    const std::string name = fmt::format("\"name\":\"{}\"", design.TableName(table, stage));
    if (response->body.find(name) == std::string::npos) return false;
  }
  return true;
}

}  // namespace taula::cli
