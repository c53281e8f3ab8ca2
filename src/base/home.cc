#include "base/home.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace taula::base {
namespace {

thread_local std::shared_ptr<Home> home_of_this_thread;

}  // namespace

const std::shared_ptr<Home>& Home::OfThisThread() { return home_of_this_thread; }

void Home::Settle(std::shared_ptr<Home> home) { home_of_this_thread = std::move(home); }

Home::Away::Away() : home_(std::exchange(home_of_this_thread, nullptr)) {}
Home::Away::~Away() { Settle(std::move(home_)); }

void SendHome(Home::Travellers travellers) {
  while (!travellers.empty()) {
    const std::shared_ptr<Home> home = travellers.front()->home();
    // The others keep their place for the next turn.
    const auto others =
        std::ranges::stable_partition(travellers, [&](const auto& traveller) { return traveller->home() == home; });
    Home::Travellers rest(std::move_iterator(others.begin()), std::move_iterator(others.end()));
    travellers.erase(others.begin(), others.end());
    if (home == nullptr || home == Home::OfThisThread()) {
      for (auto& traveller : travellers) {
        Home::Traveller& arriving = *traveller;
        arriving.Arrive(std::move(traveller));
      }
    } else {
      home->Take(std::move(travellers));
    }
    travellers = std::move(rest);
  }
}

}  // namespace taula::base
