// Work that is due now and then: forgetting transaction tokens that have
// expired.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/clock.h"
#include "storage/store.h"

namespace taula::engine {

class Housekeeping {
 public:
  Housekeeping(storage::Store& store, const base::Clock& clock);
  ~Housekeeping();
  Housekeeping(const Housekeeping&) = delete;
  Housekeeping& operator=(const Housekeeping&) = delete;

 private:
  void Run();

  storage::Store& store_;
  const base::Clock& clock_;
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace taula::engine
