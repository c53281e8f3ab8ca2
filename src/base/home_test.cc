#include "base/home.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace taula::base {
namespace {

class Note final : public Home::Traveller {
 public:
  Note(std::string text, std::vector<std::string>& read) : text_(std::move(text)), read_(read) {}
  void Arrive(std::unique_ptr<Traveller> /*self*/) override { read_.push_back(text_); }

 private:
  const std::string text_;
  std::vector<std::string>& read_;
};

// Keeps what comes, call by call.
class Porch final : public Home {
 public:
  void Take(Travellers travellers) override { came.push_back(std::move(travellers)); }

  // Who lives there, for the time of a test.
  std::vector<Travellers> came;
};

void ArriveAll(Home::Travellers& travellers) {
  for (auto& traveller : travellers) {
    Home::Traveller& arriving = *traveller;
    arriving.Arrive(std::move(traveller));
  }
}

std::unique_ptr<Home::Traveller> NoteFrom(const std::shared_ptr<Home>& home, std::string text,
                                          std::vector<std::string>& read) {
  std::unique_ptr<Home::Traveller> note;
  std::thread([&] {
    Home::Settle(home);
    note = std::make_unique<Note>(std::move(text), read);
  }).join();
  return note;
}

TEST(SendHome, ThoseWithoutAHomeArriveWhereTheyAre) {
  std::vector<std::string> read;
  Home::Travellers travellers;
  travellers.push_back(std::make_unique<Note>("a", read));
  travellers.push_back(std::make_unique<Note>("b", read));
  SendHome(std::move(travellers));
  EXPECT_EQ(read, (std::vector<std::string>{"a", "b"}));
}

TEST(SendHome, ThoseOfOneHomeComeTogetherAndInTheirOrder) {
  std::vector<std::string> read;
  const auto first = std::make_shared<Porch>();
  const auto second = std::make_shared<Porch>();
  Home::Travellers travellers;
  travellers.push_back(NoteFrom(first, "1a", read));
  travellers.push_back(NoteFrom(second, "2a", read));
  travellers.push_back(NoteFrom(first, "1b", read));
  travellers.push_back(NoteFrom(nullptr, "0a", read));
  travellers.push_back(NoteFrom(second, "2b", read));
  SendHome(std::move(travellers));
  EXPECT_EQ(read, (std::vector<std::string>{"0a"}));
  ASSERT_EQ(first->came.size(), 1);
  ASSERT_EQ(second->came.size(), 1);
  ArriveAll(second->came[0]);
  ArriveAll(first->came[0]);
  EXPECT_EQ(read, (std::vector<std::string>{"0a", "2a", "2b", "1a", "1b"}));
}

TEST(SendHome, WhoIsHomeArrivesAtOnce) {
  std::vector<std::string> read;
  const auto home = std::make_shared<Porch>();
  std::thread([&] {
    Home::Settle(home);
    Home::Travellers travellers;
    travellers.push_back(std::make_unique<Note>("a", read));
    SendHome(std::move(travellers));
  }).join();
  EXPECT_EQ(read, (std::vector<std::string>{"a"}));
  EXPECT_TRUE(home->came.empty());
}

TEST(Home, WhoIsAwayHasNone) {
  const auto home = std::make_shared<Porch>();
  std::thread([&] {
    Home::Settle(home);
    {
      const Home::Away away;
      EXPECT_EQ(Home::OfThisThread(), nullptr);
    }
    EXPECT_EQ(Home::OfThisThread(), home);
  }).join();
}

}  // namespace
}  // namespace taula::base
