#include "cli/forks.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "base/log.h"
#include "cli/fork_routes.h"

namespace taula::cli {
namespace {

using Kind = ForkFault::Kind;

constexpr std::chrono::milliseconds kPatience(2000);
constexpr std::size_t kWaitingMax = 1024;
constexpr std::size_t kThreadsMax = 4;
constexpr std::chrono::milliseconds kIdleLookInterval(500);
constexpr std::size_t kNameCharsMax = 64;

std::unexpected<ForkFault> Fault(Kind kind, std::string message) {
  return std::unexpected(ForkFault{kind, std::move(message)});
}

bool IsName(std::string_view name) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  return !name.empty() && name.size() <= kNameCharsMax && name.find_first_not_of(kAllowed) == std::string_view::npos;
}

}  // namespace

class Fork {
 public:
  Fork(Forks& forks, ForkDescription description, std::unique_ptr<engine::Engine> engine, const ServedDesigns& designs)
      : description_(std::move(description)),
        routes_(forks, description_.name),
        database_(std::move(engine), designs) {}
  ~Fork() { Stop(kPatience); }
  Fork(const Fork&) = delete;
  Fork& operator=(const Fork&) = delete;

  // One thread serves its connections: there may be many forks, and each has the
  // requests of a test.
  [[nodiscard]] std::expected<void, server::ListenError> Listen(const ForkSettings& settings, std::uint16_t port) {
    auto listening = database_.Listen(
        {.address = settings.address, .port = port, .threads = 1, .region = settings.region, .limits = settings.limits},
        {&routes_});
    if (listening) description_.port = database_.server().port();
    return listening;
  }

  [[nodiscard]] const ForkDescription& description() const { return description_; }
  [[nodiscard]] ServedDatabase& database() { return database_; }

  void Stop(std::chrono::milliseconds patience) { database_.Stop(patience); }

  [[nodiscard]] bool is_idle() {
    return description_.idle_max.count() > 0 && database_.server().idle_time() >= description_.idle_max;
  }

 private:
  ForkDescription description_;
  ForkRoutes routes_;
  ServedDatabase database_;
};

Forks::Forks(ForkSettings settings, ServedDatabase& database, const ServedDesigns& designs)
    : settings_(std::move(settings)), database_(database), designs_(designs), worker_(kWaitingMax, kThreadsMax) {
  idle_watch_.emplace(kIdleLookInterval, [this](const std::stop_token&) { EndIdle(); });
}

Forks::~Forks() { Stop(); }

std::expected<ForkDescription, ForkFault> Forks::Make(const ForkRequest& request) {
  const auto name = Reserve(request);
  if (!name) return std::unexpected(name.error());
  Made made = TryToMake(*name, request);
  const std::lock_guard lock(mutex_);
  if (made && stopped_) made = Fault(Kind::kFailed, "The server is stopping.");
  if (!made) {
    forks_.erase(*name);
    return std::unexpected(std::move(made.error()));
  }
  const ForkDescription description = (*made)->description();
  forks_[*name] = *std::move(made);
  return description;
}

std::expected<std::string, ForkFault> Forks::Reserve(const ForkRequest& request) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return Fault(Kind::kFailed, "The server is stopping.");
  if (forks_.size() >= settings_.count_max) {
    return Fault(Kind::kTooMany,
                 fmt::format("There are {} forks, which is as many as may be; delete some, or let the server have more "
                             "with --forks.",
                             forks_.size()));
  }
  std::string name = request.name;
  while (name.empty() || (request.name.empty() && forks_.contains(name))) {
    name = fmt::format("fork-{}", ++names_given_);
  }
  if (!IsName(name)) {
    return Fault(Kind::kBadName,
                 fmt::format("A fork's name has up to {} letters, digits, '_', '.' and '-'.", kNameCharsMax));
  }
  if (!forks_.try_emplace(name).second) return Fault(Kind::kNameTaken, fmt::format("There is a fork '{}'.", name));
  return name;
}

// Loops, stores and their threads have no other way to say that the machine has no
// more descriptors or threads.
Forks::Made Forks::TryToMake(const std::string& name, const ForkRequest& request) {
  try {
    return MakeNamed(name, request);
  } catch (const std::system_error& error) {
    return Fault(Kind::kFailed, fmt::format("The fork cannot be made: {}.", error.what()));
  }
}

Forks::Made Forks::MakeNamed(const std::string& name, const ForkRequest& request) {
  std::shared_ptr<Fork> origin;
  if (!request.origin.empty()) {
    origin = Hold(request.origin);
    if (origin == nullptr) return Fault(Kind::kNoOrigin, fmt::format("There is no fork '{}'.", request.origin));
  }
  ServedDatabase& database = origin == nullptr ? database_ : origin->database();
  auto engine = database.engine().Fork();
  if (!engine) return Fault(Kind::kFailed, engine.error().message);
  const auto fork = std::make_shared<Fork>(*this,
                                           ForkDescription{.name = name,
                                                           .origin = request.origin,
                                                           .created_ms = base::Clock::System().NowMs(),
                                                           .idle_max = request.idle_max},
                                           *std::move(engine), designs_);
  if (auto faults = database.service().faults(); !faults.empty()) {
    fork->database().service().SetFaults(std::move(faults));
  }
  if (auto listening = Listen(*fork); !listening) return std::unexpected(std::move(listening.error()));
  base::Log(base::LogLevel::kDebug, "Fork {} is on port {}", name, fork->description().port);
  return fork;
}

std::expected<void, ForkFault> Forks::Listen(Fork& fork) const {
  std::uint32_t port = settings_.ports.first;
  auto listening = fork.Listen(settings_, settings_.ports.first);
  while (!listening && listening.error().kind == server::ListenError::Kind::kAddressInUse &&
         ++port <= settings_.ports.last) {
    listening = fork.Listen(settings_, static_cast<std::uint16_t>(port));
  }
  if (listening) return {};
  return Fault(Kind::kNoPort, fmt::format("No port is free for the fork: {}", listening.error().message));
}

std::vector<ForkDescription> Forks::List() const {
  const std::lock_guard lock(mutex_);
  std::vector<ForkDescription> list;
  for (const auto& [name, fork] : forks_) {
    if (fork != nullptr) list.push_back(fork->description());
  }
  return list;
}

std::optional<ForkDescription> Forks::Find(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto found = forks_.find(name);
  if (found == forks_.end() || found->second == nullptr) return std::nullopt;
  return found->second->description();
}

std::shared_ptr<Fork> Forks::Hold(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto found = forks_.find(name);
  return found == forks_.end() ? nullptr : found->second;
}

std::shared_ptr<Fork> Forks::Take(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = forks_.find(name);
  if (found == forks_.end() || found->second == nullptr) return nullptr;
  return std::move(forks_.extract(found).mapped());
}

void Forks::EndIdle() {
  for (const ForkDescription& each : List()) {
    std::shared_ptr<Fork> fork;
    {
      const std::lock_guard lock(mutex_);
      const auto found = forks_.find(each.name);
      if (found == forks_.end() || found->second == nullptr || !found->second->is_idle()) continue;
      fork = std::move(forks_.extract(found).mapped());
    }
    base::Log(base::LogLevel::kInfo, "Fork {} goes: nobody has used it for {} seconds", each.name,
              each.idle_max.count());
  }
}

void Forks::Stop() {
  worker_.Finish();
  idle_watch_.reset();
  ForkMap ending;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    ending.swap(forks_);
  }
  // All together get the time of one.
  const std::int64_t end_ms = base::SteadyMs() + kPatience.count();
  for (const auto& [name, fork] : ending) {
    fork->Stop(std::chrono::milliseconds(std::max<std::int64_t>(end_ms - base::SteadyMs(), 0)));
  }
}

}  // namespace taula::cli
