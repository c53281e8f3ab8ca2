#include "cli/serve_options.h"

#include <fmt/format.h>

#include <map>

#include "server/server.h"

namespace taula::cli {
namespace {

// CLI11 checks a name first and its value then, so this also tells "8O00" from
// a port that is out of range.
CLI::Validator PortNumber() { return CLI::Range(0, 65535).description(""); }

CLI::Validator AccountNumber() {
  return {[](std::string& text) -> std::string {
            const bool fine = text.size() == 12 && text.find_first_not_of("0123456789") == std::string::npos;
            return fine ? "" : "an account is a number of 12 digits, not '" + text + "'";
          },
          ""};
}

CLI::Validator RegionName() {
  return {[](std::string& text) -> std::string {
            const bool fine = !text.empty() && text.size() <= 64 &&
                              text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
            return fine ? "" : "a region is a name such as us-east-1, not '" + text + "'";
          },
          ""};
}

void AddNetwork(CLI::App& command, ServeOptions& options) {
  command.add_option("--listen", options.listen, "Address to listen on")
      ->envname("TAULA_LISTEN")
      ->type_name("ADDRESS")
      ->default_str("127.0.0.1")
      ->group("Network");
  command.add_option("--port", options.port, "Port to listen on; 0 takes any that is free")
      ->envname("TAULA_PORT")
      ->type_name("PORT")
      ->default_str("8000")
      ->check(PortNumber())
      ->group("Network");
  command
      .add_flag("--insecure", options.insecure,
                "Allow an address that others can reach. Credentials are not verified: whoever reaches the port can "
                "read and write everything")
      ->envname("TAULA_INSECURE")
      ->group("Network");
}

void AddData(CLI::App& command, ServeOptions& options) {
  command.add_option("--data", options.data, "Folder that keeps the data; made when it does not exist")
      ->envname("TAULA_DATA")
      ->type_name("FOLDER")
      ->default_str("./taula-data")
      ->group("Data");
  command.add_flag("--memory", options.memory, "Keep everything in memory and forget it at the end")
      ->envname("TAULA_MEMORY")
      ->group("Data");
  const std::map<std::string, bool> durability = {{"sync", false}, {"relaxed", true}};
  command
      .add_option("--durability", options.relaxed,
                  "When a write is acknowledged: 'sync', once it is on the disk and survives a power cut; 'relaxed', "
                  "once the operating system has it and it survives a crash of the process")
      ->envname("TAULA_DURABILITY")
      ->type_name("sync|relaxed")
      ->default_str("sync")
      ->transform(CLI::Transformer(durability).description(""))
      ->check(CLI::IsMember({"0", "1"}).description(""))
      ->group("Data");
}

void AddResources(CLI::App& command, ServeOptions& options) {
  command.add_option("--threads", options.threads, "Threads that serve connections; by default one for each core")
      ->envname("TAULA_THREADS")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 1024).description(""))
      ->group("Resources");
  command.add_option("--cache-size", options.cache_bytes, "Memory for caching data, such as 512M or 4G")
      ->envname("TAULA_CACHE_SIZE")
      ->type_name("SIZE")
      ->default_str("128M")
      ->transform(CLI::AsSizeValue(false).description(""))
      ->group("Resources");
}

void AddIdentity(CLI::App& command, ServeOptions& options) {
  command.add_option("--region", options.region, "Region that shows in ARNs")
      ->envname("TAULA_REGION")
      ->type_name("NAME")
      ->default_str("us-east-1")
      ->check(RegionName())
      ->group("Identity");
  command.add_option("--account", options.account, "Account that shows in ARNs")
      ->envname("TAULA_ACCOUNT")
      ->type_name("DIGITS")
      ->default_str("000000000000")
      ->check(AccountNumber())
      ->group("Identity");
}

void AddLog(CLI::App& command, ServeOptions& options) {
  using base::LogFormat;
  using base::LogLevel;
  const std::map<std::string, LogLevel> levels = {{"debug", LogLevel::kDebug},
                                                  {"info", LogLevel::kInfo},
                                                  {"warning", LogLevel::kWarning},
                                                  {"error", LogLevel::kError},
                                                  {"off", LogLevel::kOff}};
  const std::map<std::string, LogFormat> formats = {{"text", LogFormat::kText}, {"json", LogFormat::kJson}};
  command.add_option("--log-level", options.log_level, "What is worth a line on stderr")
      ->envname("TAULA_LOG_LEVEL")
      ->type_name("debug|info|warning|error|off")
      ->default_str("info")
      ->transform(CLI::CheckedTransformer(levels).description(""))
      ->group("Log");
  command.add_option("--log-format", options.log_format, "Lines for people or for programs")
      ->envname("TAULA_LOG_FORMAT")
      ->type_name("text|json")
      ->default_str("text")
      ->transform(CLI::CheckedTransformer(formats).description(""))
      ->group("Log");
}

}  // namespace

void AddServeOptions(CLI::App& command, ServeOptions& options) {
  AddNetwork(command, options);
  AddData(command, options);
  AddResources(command, options);
  AddIdentity(command, options);
  AddLog(command, options);
}

std::optional<std::string> FindConflict(const ServeOptions& options) {
  const auto address = server::ParseAddress(options.listen);
  if (!address) return address.error().message;
  if (!address->is_loopback() && !options.insecure) {
    return fmt::format(
        "refusing to listen on {}: credentials are not verified, so anyone who reaches it could read and write "
        "everything; use a loopback address, or say --insecure if that is what you want",
        options.listen);
  }
  return std::nullopt;
}

}  // namespace taula::cli
