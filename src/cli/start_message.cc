#include "cli/start_message.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.h"
#include "server/server.h"

namespace taula::cli {
namespace {

std::string DataLine(const ServeOptions& options) {
  if (options.memory) return "in memory, gone when the server stops";
  std::error_code error;
  std::filesystem::path path = std::filesystem::absolute(options.data, error);
  if (error) path = options.data;
  return fmt::format("{} ({})", path.lexically_normal().string(),
                     options.relaxed ? "relaxed: a power cut may cost the last writes"
                                     : "every write is on the disk before it is acknowledged");
}

}  // namespace

std::string EndpointUrl(const std::string& listen, std::uint16_t port) {
  std::string host = listen;
  if (const auto address = server::ParseAddress(listen)) {
    if (address->is_unspecified()) {
      host = "localhost";
    } else {
      host = address->is_v6() ? "[" + address->text() + "]" : address->text();
    }
  }
  return fmt::format("http://{}:{}", host, port);
}

std::string StartMessage(const ServeOptions& options, std::uint16_t port,
                         const std::vector<const design::Design*>& designs) {
  const std::string url = EndpointUrl(options.listen, port);
  std::string design_lines;
  for (const design::Design* const design : designs) {
    design_lines +=
        fmt::format("  {:9} {}/designs/{}  entities: {}, operations: {}\n", design_lines.empty() ? "Designs" : "", url,
                    design->name, design->entities.size(), design->operations.size());
  }
  return fmt::format(
      "Taula {} is ready.\n"
      "\n"
      "  Endpoint  {}\n"
      "  Data      {}\n"
      "  Region    {}\n"
      "{}"
      "  Try       aws dynamodb list-tables --endpoint-url {} --region {}\n"
      "            (any access key will do: AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local)\n"
      "  Stop      Ctrl+C\n"
      "\n",
      Version(), url, DataLine(options), options.region, design_lines, url, options.region);
}

}  // namespace taula::cli
