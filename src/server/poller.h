// The heart of an event loop: waits for sockets, for work from other threads and
// for points in time, and calls whoever waits for them. All calls come from the
// one thread that is in Run.
//
// Sockets are watched edge-triggered, in both directions, from the beginning to
// their end: a request costs no call to say what is waited for, and a read that got
// less than it could have taken needs no second one to learn that nothing is left.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "server/descriptor.h"
#include "server/socket.h"

namespace taula::server {

// What has become of a socket since it was last heard of.
struct Readiness {
  bool readable = false;
  bool writable = false;
  // The other side has ended its part, or the connection broke: whatever is read
  // next, more can be read after it, if only the end.
  bool ending = false;
};

class Poller {
 public:
  class Watcher {
   public:
    virtual ~Watcher() = default;
    virtual void OnReady(Readiness readiness) = 0;
  };
  using Task = std::move_only_function<void()>;

  // How many sockets are told of in one turn.
  static constexpr std::size_t kEventsMax = 32;

  Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  // Runs until Stop; tasks that are left then are dropped.
  void Run();
  // From the thread that is in Run.
  void Stop() { stopped_ = true; }
  [[nodiscard]] bool runs_on_this_thread() const;

  // Until the socket is closed. A watcher of a closed socket may still be called
  // for what was seen before, but not once a task runs that was posted after the
  // closing. False when the kernel refuses.
  [[nodiscard]] bool Watch(const Socket& socket, Watcher& watcher);

  // From the thread that is in Run: more may have come than was told of in this turn.
  [[nodiscard]] bool may_have_more() const { return told_ == kEventsMax; }

  // Before Run. Called at the end of every turn, when what it began with has been
  // seen to.
  void AtTurnEnd(Task task) { turn_end_ = std::move(task); }

  // From any thread: runs it soon, after all that was posted before.
  void Post(Task task);

  // From the thread that is in Run, or before. Good for deadlines, not for
  // counting: it may come late by a few milliseconds.
  void PostAfter(std::chrono::milliseconds delay, Task task);

 private:
  struct Timer {
    std::int64_t due_ms;
    Task task;
  };

  [[nodiscard]] int Wait();
  [[nodiscard]] int LookAgain();
  [[nodiscard]] int Sleep();
  [[nodiscard]] int Look(int timeout_ms);
  [[nodiscard]] std::vector<Timer>::iterator FirstTimer();
  [[nodiscard]] int SleepMsMax();
  void CallWatchers(int events);
  void RunTasks();
  void RunTimers();

  const Descriptor epoll_;
  const Descriptor doorbell_;  // rung by whoever posts to a poller that sleeps
  std::array<epoll_event, kEventsMax> events_;
  std::size_t told_ = 0;
  std::vector<Timer> timers_;
  Task turn_end_ = [] {};
  bool stopped_ = false;
  // How often to look again before going to sleep.
  int looks_ = 0;

  std::mutex mutex_;
  std::vector<Task> tasks_;  // inside the lock
  std::vector<Task> running_;
  std::atomic<bool> has_tasks_ = false;
  std::atomic<bool> asleep_ = false;
};

}  // namespace taula::server
