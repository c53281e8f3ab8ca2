#include "server/poller.h"

#include <sched.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>

#include "base/clock.h"

namespace taula::server {
namespace {

// Going to sleep and being woken costs both sides more than a request does, and
// where client and server share a machine, a thread that waits to be woken leaves a
// core idle that somebody needs. So where requests follow closely on each other, a
// poller looks a few times more before it sleeps, and lets others have the core in
// between. How many times, it learns: twice as many when that paid, or when it was
// woken so soon that it would have; half as many when it did not, so that a server
// with little to do sleeps at once. Nor does it pay where others keep the core for
// long: who sleeps and is woken gets it back sooner than who stood aside.
constexpr int kLooksMax = 16;
constexpr auto kShortSleep = std::chrono::microseconds(20);
constexpr auto kLongAside = std::chrono::microseconds(500);

int More(int looks) { return std::min(2 * looks + 1, kLooksMax); }
int Fewer(int looks) { return looks / 2; }

const thread_local Poller* running_on_this_thread = nullptr;

Descriptor Made(int handle) {
  // As a thread that cannot be started does.
  if (handle < 0) throw std::system_error(errno, std::system_category(), "cannot make an event loop");
  return Descriptor(handle);
}

}  // namespace

Poller::Poller()
    : epoll_(Made(::epoll_create1(EPOLL_CLOEXEC))), doorbell_(Made(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC))) {
  // Edge-triggered, so that it need never be read.
  epoll_event event{.events = EPOLLIN | EPOLLET, .data = {.ptr = nullptr}};
  if (::epoll_ctl(epoll_.handle(), EPOLL_CTL_ADD, doorbell_.handle(), &event) != 0) Made(-1);
}

bool Poller::runs_on_this_thread() const { return running_on_this_thread == this; }

void Poller::Run() {
  running_on_this_thread = this;
  while (!stopped_) {
    const int events = Wait();
    told_ = static_cast<std::size_t>(events);
    CallWatchers(events);
    RunTasks();
    RunTimers();
    turn_end_();
  }
  running_on_this_thread = nullptr;
  timers_.clear();
  const std::vector<Task> dropped = [this] {
    const std::lock_guard lock(mutex_);
    return std::exchange(tasks_, {});
  }();
}

bool Poller::Watch(const Socket& socket, Watcher& watcher) {
  epoll_event event{.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data = {.ptr = &watcher}};
  return ::epoll_ctl(epoll_.handle(), EPOLL_CTL_ADD, socket.handle(), &event) == 0;
}

void Poller::Post(Task task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    has_tasks_ = true;
  }
  // It looks for tasks after it said that it sleeps, so one of both sees the other.
  if (asleep_.exchange(false)) {
    const std::uint64_t ring = 1;
    [[maybe_unused]] const ssize_t written = ::write(doorbell_.handle(), &ring, sizeof(ring));
  }
}

void Poller::PostAfter(std::chrono::milliseconds delay, Task task) {
  timers_.push_back({base::SteadyMs() + delay.count(), std::move(task)});
}

int Poller::Wait() {
  int events = Look(0);
  if (events > 0 || has_tasks_) return events;
  const auto begun = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::steady_clock::now() - begun; };
  events = LookAgain();
  if (events > 0 || has_tasks_) {
    looks_ = elapsed() < kLongAside ? More(looks_) : Fewer(looks_);
    return events;
  }
  const auto looked = elapsed();
  events = Sleep();
  looks_ = elapsed() - looked < kShortSleep ? More(looks_) : Fewer(looks_);
  return events;
}

int Poller::LookAgain() {
  int events = 0;
  for (int i = 0; i < looks_ && events == 0 && !has_tasks_; ++i) {
    ::sched_yield();
    events = Look(0);
  }
  return events;
}

int Poller::Sleep() {
  asleep_ = true;
  const int events = Look(has_tasks_ ? 0 : SleepMsMax());
  asleep_ = false;
  return events;
}

int Poller::Look(int timeout_ms) {
  const int events = ::epoll_wait(epoll_.handle(), events_.data(), kEventsMax, timeout_ms);
  return std::max(events, 0);  // below only when a signal came
}

// There are a handful at most.
std::vector<Poller::Timer>::iterator Poller::FirstTimer() {
  return std::ranges::min_element(timers_, {}, &Timer::due_ms);
}

int Poller::SleepMsMax() {
  if (timers_.empty()) return -1;
  // One more, as the clock's milliseconds are rounded down.
  return static_cast<int>(
      std::clamp<std::int64_t>(FirstTimer()->due_ms - base::SteadyMs() + 1, 0, std::numeric_limits<int>::max()));
}

void Poller::CallWatchers(int events) {
  for (int i = 0; i < events; ++i) {
    const epoll_event& event = events_[static_cast<std::size_t>(i)];
    if (event.data.ptr == nullptr) continue;  // the doorbell
    const bool ending = (event.events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
    static_cast<Watcher*>(event.data.ptr)
        ->OnReady({.readable = ending || (event.events & EPOLLIN) != 0,
                   .writable = ending || (event.events & EPOLLOUT) != 0,
                   .ending = ending});
  }
}

void Poller::RunTasks() {
  if (!has_tasks_) return;
  {
    const std::lock_guard lock(mutex_);
    running_.swap(tasks_);
    has_tasks_ = false;
  }
  for (Task& task : running_) task();
  running_.clear();
}

void Poller::RunTimers() {
  if (timers_.empty()) return;
  const std::int64_t now_ms = base::SteadyMs();
  // One after the other, for their tasks may set timers.
  while (!timers_.empty()) {
    const auto first = FirstTimer();
    if (first->due_ms > now_ms) return;
    Task task = std::move(first->task);
    timers_.erase(first);
    task();
  }
}

}  // namespace taula::server
