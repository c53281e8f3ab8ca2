// For tests: two sockets that are connected with each other.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>

#include "server/socket.h"

namespace taula::server {

struct SocketPair {
  SocketPair() {
    std::array<int, 2> handles{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, handles.data()), 0);
    ours = Socket(Descriptor(handles[0]));
    theirs = Socket(Descriptor(handles[1]));
  }

  Socket ours{Descriptor()};
  Socket theirs{Descriptor()};
};

}  // namespace taula::server
