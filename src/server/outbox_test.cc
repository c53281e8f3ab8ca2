#include "server/outbox.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/socket_pair_testing.h"

namespace taula::server {
namespace {

struct Client : SocketPair {
  [[nodiscard]] std::string Received() {
    std::string all;
    std::vector<char> space(1 << 20);
    while (true) {
      const Socket::Transfer received = theirs.Receive(space);
      if (received.outcome != Socket::Outcome::kDone) return all;
      all.append(space.data(), received.bytes);
    }
  }
  // Until the socket takes no more.
  void Fill() {
    const std::string filling(1 << 16, 'f');
    const iovec piece = Piece(filling);
    while (ours.Send({&piece, 1}).outcome == Socket::Outcome::kDone) {
    }
  }
};

enum class Kernel { kAllows, kRefuses };

// The same with a ring, where this machine allows one, and without.
class OutboxTest : public testing::TestWithParam<Kernel> {
 protected:
  OutboxTest() {
    if (GetParam() == Kernel::kAllows) {
      outbox = std::make_unique<Outbox>();
      return;
    }
    // A ring is a descriptor.
    rlimit limit{};
    EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
    const rlimit none{0, limit.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
    outbox = std::make_unique<Outbox>();
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  }

  std::unique_ptr<Outbox> outbox;
};

INSTANTIATE_TEST_SUITE_P(Rings, OutboxTest, testing::Values(Kernel::kAllows, Kernel::kRefuses),
                         [](const auto& tested) { return tested.param == Kernel::kAllows ? "Allowed" : "Refused"; });

TEST_P(OutboxTest, SendsNothingWhenThereIsNothing) { EXPECT_TRUE(outbox->Flush().empty()); }

TEST_P(OutboxTest, SendsToEachWhatIsItsOwn) {
  constexpr std::array<std::size_t, 9> kBodies{0, 1, 500, 3895, 3896, 3897, 4096, 9000, 100000};
  for (std::size_t count = 1; count <= Outbox::kMessagesMax; count += 9) {
    std::vector<Client> clients(count);
    std::vector<std::string> texts;
    std::vector<std::vector<iovec>> messages;
    for (std::size_t i = 0; i < count; ++i) {
      texts.push_back("to " + std::to_string(i) + std::string(kBodies[i % kBodies.size()], 'b'));
    }
    for (const std::string& text : texts) messages.push_back({Piece("head "), Piece(text), Piece(" end")});
    for (std::size_t i = 0; i < count; ++i) outbox->Add(clients[i].ours, messages[i]);
    const auto transfers = outbox->Flush();
    ASSERT_EQ(transfers.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string expected = "head " + texts[i] + " end";
      EXPECT_EQ(transfers[i].outcome, Socket::Outcome::kDone) << i;
      EXPECT_EQ(transfers[i].bytes, expected.size()) << i;
      EXPECT_EQ(clients[i].Received(), expected) << i;
    }
  }
}

TEST_P(OutboxTest, TakesAsManySmallMessagesAsItMay) {
  std::vector<Client> clients(Outbox::kMessagesMax);
  const std::string half(Socket::kCopiedBytesMax / 2, 'h');
  const std::vector<iovec> message{Piece(half), Piece(half)};
  for (int turn = 0; turn < 3; ++turn) {
    for (Client& client : clients) outbox->Add(client.ours, message);
    for (const Socket::Transfer& transfer : outbox->Flush()) EXPECT_EQ(transfer.bytes, 2 * half.size());
    for (Client& client : clients) EXPECT_EQ(client.Received(), half + half);
  }
}

TEST_P(OutboxTest, SaysWhatCameOfEach) {
  Client full;
  full.Fill();
  Client gone;
  gone.theirs.Close();
  Client slow;
  Client fine;
  const std::string small = "small";
  const std::string huge(std::size_t{16} << 20, 'x');
  const iovec small_piece = Piece(small);
  const iovec huge_piece = Piece(huge);
  outbox->Add(gone.ours, {&small_piece, 1});
  outbox->Add(full.ours, {&small_piece, 1});
  outbox->Add(slow.ours, {&huge_piece, 1});
  outbox->Add(fine.ours, {&small_piece, 1});
  const auto transfers = outbox->Flush();
  ASSERT_EQ(transfers.size(), 4U);
  EXPECT_EQ(transfers[0].outcome, Socket::Outcome::kFailed);
  EXPECT_EQ(transfers[1].outcome, Socket::Outcome::kWouldBlock);
  EXPECT_EQ(transfers[2].outcome, Socket::Outcome::kDone);
  EXPECT_GT(transfers[2].bytes, 0U);
  EXPECT_LT(transfers[2].bytes, huge.size());
  EXPECT_EQ(slow.Received().size(), transfers[2].bytes);
  EXPECT_EQ(transfers[3].outcome, Socket::Outcome::kDone);
  EXPECT_EQ(fine.Received(), small);
}

}  // namespace
}  // namespace taula::server
