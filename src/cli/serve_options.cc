#include "cli/serve_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "server/server.h"

namespace taula::cli {
namespace {

// CLI11's own checks would do, but for what they say when they fail.
CLI::Validator NumberBetween(const std::string& what, long low, long high) {
  return {[=](std::string& text) -> std::string {
            const CLI::Range range(low, high);
            return range(text).empty() ? ""
                                       : fmt::format("{} is a number from {} to {}, not '{}'", what, low, high, text);
          },
          ""};
}

CLI::Validator OneOf(std::vector<std::string> names) {
  return {[names = std::move(names)](std::string& text) -> std::string {
            if (std::ranges::find(names, text) != names.end()) return "";
            return fmt::format("'{}' is none of {}", text, fmt::join(names, ", "));
          },
          ""};
}

// Turns "512M" into a number of bytes.
CLI::Validator Size() {
  return {[](std::string& text) -> std::string {
            const std::string given = text;
            try {
              // It would take a negative number for a huge one.
              if (!given.starts_with('-') && CLI::AsSizeValue(false)(text).empty()) return "";
            } catch (const CLI::Error&) {
            }
            return "a size is a number with K, M or G behind it, not '" + given + "'";
          },
          ""};
}

CLI::Validator Ports() {
  return {[](std::string& text) -> std::string {
            return ParsePortRange(text) ? "" : "ports are given as 8100-8199, not '" + text + "'";
          },
          ""};
}

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

CLI::Validator StageName() {
  return {[](std::string& text) -> std::string {
            constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
            const bool fine = !text.empty() && text.find_first_not_of(kAllowed) == std::string::npos;
            return fine ? ""
                        : "a stage is part of a table's name: letters, digits, '_', '.' and '-', not '" + text + "'";
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
      ->check(NumberBetween("a port", 0, 65535))
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
  command
      .add_option_function<std::string>(
          "--durability", [&options](const std::string& name) { options.relaxed = name == "relaxed"; },
          "When a write is acknowledged: 'sync', once it is on the disk and survives a power cut; 'relaxed', once the "
          "operating system has it and it survives a crash of the process")
      ->envname("TAULA_DURABILITY")
      ->type_name("sync|relaxed")
      ->default_str("sync")
      ->check(OneOf({"sync", "relaxed"}))
      ->group("Data");
  command
      .add_option("--buckets", options.buckets,
                  "Folder whose folders are the buckets that tables are exported to and imported from; by default "
                  "'buckets' in the data folder")
      ->envname("TAULA_BUCKETS")
      ->type_name("FOLDER")
      ->group("Data");
}

void AddDesigns(CLI::App& command, ServeOptions& options) {
  command
      .add_option("--design", options.designs,
                  "Design file to keep: its tables are made, its keys derived and its rules held on every write, its "
                  "operations served below /designs. May be given several times")
      ->envname("TAULA_DESIGN")
      ->type_name("FILE")
      ->group("Designs");
  command.add_option("--stage", options.stage, "What {stage} in the names of tables is; by default each design's own")
      ->envname("TAULA_STAGE")
      ->type_name("NAME")
      ->check(StageName())
      ->group("Designs");
  command
      .add_flag("--seed", options.seed,
                "Load the seed.yaml that lies beside each design, if all of the design's tables are empty")
      ->envname("TAULA_SEED")
      ->group("Designs");
}

void AddResources(CLI::App& command, ServeOptions& options) {
  command.add_option("--threads", options.threads, "Threads that serve connections; by default one for each core")
      ->envname("TAULA_THREADS")
      ->type_name("COUNT")
      ->check(NumberBetween("the number of threads", 1, 1024))
      ->group("Resources");
  command.add_option("--cache-size", options.cache_bytes, "Memory for caching data, such as 512M or 4G")
      ->envname("TAULA_CACHE_SIZE")
      ->type_name("SIZE")
      ->default_str("256M")
      ->transform(Size())
      ->group("Resources");
  command
      .add_option("--ttl-interval", options.ttl_interval_s,
                  "Seconds between two looks for items whose time to live has ended; 0: they stay")
      ->envname("TAULA_TTL_INTERVAL")
      ->type_name("SECONDS")
      ->default_str("1")
      ->check(NumberBetween("the interval", 0, 86400))
      ->group("Resources");
}

void AddForks(CLI::App& command, ServeOptions& options) {
  command
      .add_option("--forks", options.forks_max,
                  "How many forks (copies for tests, see 'taula fork --help') there may be at a time")
      ->envname("TAULA_FORKS")
      ->type_name("COUNT")
      ->default_str("100")
      ->check(NumberBetween("the number of forks", 0, 10'000))
      ->group("Forks");
  command
      .add_option_function<std::string>(
          "--fork-ports",
          [&options](const std::string& text) { options.fork_ports = ParsePortRange(text).value_or(PortRange()); },
          "Ports that forks listen on, such as 8100-8199, where a container or a firewall has to let them through; by "
          "default any that are free")
      ->envname("TAULA_FORK_PORTS")
      ->type_name("FIRST-LAST")
      ->check(Ports())
      ->group("Forks");
}

void AddAdversity(CLI::App& command, ServeOptions& options) {
  command
      .add_flag("--throttle", options.throttle,
                "Hold requests to the capacity of their tables and indexes, as Amazon does; without it that is a "
                "setting nobody feels")
      ->envname("TAULA_THROTTLE")
      ->group("Adversity");
  command
      .add_option("--faults", options.faults_file,
                  "Fault profile: what shall go wrong on purpose, so that you see whether your retries work")
      ->envname("TAULA_FAULTS")
      ->type_name("FILE")
      ->group("Adversity");
  command
      .add_option("--fault", options.faults,
                  "The same in one line, such as 'throttle=0.05 operations=PutItem', 'index-lag=200ms' or "
                  "'latency=20ms'. May be given several times")
      ->type_name("SETTINGS")
      ->group("Adversity");
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
      ->default_str("123456789012")
      ->check(AccountNumber())
      ->group("Identity");
}

void AddLog(CLI::App& command, ServeOptions& options) {
  command
      .add_option_function<std::string>(
          "--log-level",
          [&options](const std::string& name) {
            options.log_level = base::ParseLogLevel(name).value_or(options.log_level);
          },
          "What is worth a line on stderr")
      ->envname("TAULA_LOG_LEVEL")
      ->type_name("debug|info|warning|error|off")
      ->default_str("info")
      ->check(OneOf({"debug", "info", "warning", "error", "off"}))
      ->group("Log");
  command
      .add_option_function<std::string>(
          "--log-format",
          [&options](const std::string& name) {
            options.log_format = name == "json" ? base::LogFormat::kJson : base::LogFormat::kText;
          },
          "Lines for people or for programs")
      ->envname("TAULA_LOG_FORMAT")
      ->type_name("text|json")
      ->default_str("text")
      ->check(OneOf({"text", "json"}))
      ->group("Log");
}

}  // namespace

void AddServeOptions(CLI::App& command, ServeOptions& options) {
  AddNetwork(command, options);
  AddData(command, options);
  AddDesigns(command, options);
  AddResources(command, options);
  AddForks(command, options);
  AddAdversity(command, options);
  AddIdentity(command, options);
  AddLog(command, options);
}

std::string BucketsFolder(const ServeOptions& options) {
  if (!options.buckets.empty() || options.memory) return options.buckets;
  return options.data + "/buckets";
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
