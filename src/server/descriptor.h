// Owns a file descriptor.
#pragma once

#include <unistd.h>

#include <utility>

namespace taula::server {

class Descriptor {
 public:
  explicit Descriptor(int handle = -1) : handle_(handle) {}
  Descriptor(Descriptor&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    Close();
    handle_ = std::exchange(other.handle_, -1);
    return *this;
  }
  ~Descriptor() { Close(); }

  [[nodiscard]] int handle() const { return handle_; }
  [[nodiscard]] bool is_open() const { return handle_ >= 0; }
  void Close() {
    if (is_open()) ::close(std::exchange(handle_, -1));
  }

 private:
  int handle_;
};

}  // namespace taula::server
