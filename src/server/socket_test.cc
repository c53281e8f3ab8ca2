#include "server/socket.h"

#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace taula::server {
namespace {

void AwaitReadable(int handle) {
  pollfd watched{.fd = handle, .events = POLLIN, .revents = 0};
  ASSERT_EQ(::poll(&watched, 1, 5000), 1);
}

// A client on this machine and the server's end of its connection.
struct Connected {
  explicit Connected(const char* address_text) {
    const Address any_port = *Address::Parse(address_text);
    auto listener = Socket::Listen(any_port, false);
    EXPECT_TRUE(listener) << listener.error().message();
    const Address address = any_port.WithPort(*listener->LocalPort());
    client = Socket(Descriptor(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0)));
    EXPECT_EQ(::connect(client.handle(), address.raw(), address.raw_size()), 0);
    AwaitReadable(listener->handle());
    auto accepted = listener->Accept();
    EXPECT_TRUE(accepted && *accepted);
    server = std::move(**accepted);
  }

  [[nodiscard]] std::string ClientReceives(std::size_t bytes) {
    std::string all;
    std::array<char, 65536> space{};
    while (all.size() < bytes) {
      const Socket::Transfer received = client.Receive(space);
      if (received.outcome != Socket::Outcome::kDone) break;
      all.append(space.data(), received.bytes);
    }
    return all;
  }

  Socket client{Descriptor()};
  Socket server{Descriptor()};
};

TEST(Socket, SendsPiecesInTheirOrderHoweverLongTheyAreTogether) {
  Connected connected("127.0.0.1");
  for (const std::size_t body_bytes : {0, 1, 500, 3895, 3896, 3897, 4095, 4096, 4097, 9000, 40000}) {
    const std::string head(200, 'h');
    const std::string body(body_bytes, 'b');
    const std::vector<iovec> pieces{Piece(head), Piece(body), Piece("end")};
    const std::string expected = head + body + "end";
    const Socket::Transfer sent = connected.server.Send(pieces);
    ASSERT_EQ(sent.outcome, Socket::Outcome::kDone);
    ASSERT_EQ(sent.bytes, expected.size()) << body_bytes;
    EXPECT_EQ(connected.ClientReceives(expected.size()), expected) << body_bytes;
  }
}

TEST(Socket, SaysHowMuchWasSentWhenTheClientDoesNotRead) {
  Connected connected("127.0.0.1");
  const std::string text(3000, 'x');
  const std::vector<iovec> pieces{Piece(text), Piece("end")};
  std::size_t sent_bytes = 0;
  Socket::Transfer sent{};
  do {
    sent = connected.server.Send(pieces);
    sent_bytes += sent.bytes;
  } while (sent.outcome == Socket::Outcome::kDone);
  EXPECT_EQ(sent.outcome, Socket::Outcome::kWouldBlock);
  EXPECT_EQ(sent.bytes, 0U);
  EXPECT_EQ(connected.ClientReceives(sent_bytes).size(), sent_bytes);
}

TEST(Socket, DoesNotPaceWhatGoesToThisMachine) {
  for (const char* const address : {"127.0.0.1", "::1"}) {
    if (!Socket::Listen(*Address::Parse(address), false)) continue;  // a machine without IPv6
    const Connected connected(address);
    std::array<char, 16> name{};
    socklen_t bytes = name.size();
    ASSERT_EQ(::getsockopt(connected.server.handle(), IPPROTO_TCP, TCP_CONGESTION, name.data(), &bytes), 0);
    EXPECT_STREQ(name.data(), "reno") << address;
  }
}

TEST(Socket, SaysWhenTheClientIsGone) {
  Connected connected("127.0.0.1");
  connected.client.Close();
  AwaitReadable(connected.server.handle());
  std::array<char, 16> space{};
  EXPECT_EQ(connected.server.Receive(space).outcome, Socket::Outcome::kEnded);
}

}  // namespace
}  // namespace taula::server
