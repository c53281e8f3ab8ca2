// Where work comes back to. What one thread begins and another ends, such as a
// write that waits for the disk, is sent home to end there: memory is freed on the
// thread that took it, which malloc is good at, and the thread that many wait for
// has less to do.
#pragma once

#include <memory>
#include <vector>

namespace taula::base {

class Home {
 public:
  // Something that is away from home, that of the thread it was made on.
  class Traveller {
   public:
    Traveller() : home_(OfThisThread()) {}
    virtual ~Traveller() = default;
    Traveller(const Traveller&) = delete;
    Traveller& operator=(const Traveller&) = delete;

    // Called on the home's thread, or wherever it is when it has no home.
    virtual void Arrive(std::unique_ptr<Traveller> self) = 0;
    // In place of Arrive when nobody is at home any more, on any thread.
    virtual void FindNobody(std::unique_ptr<Traveller> self) { Arrive(std::move(self)); }

    [[nodiscard]] const std::shared_ptr<Home>& home() const { return home_; }

   private:
    const std::shared_ptr<Home> home_;  // nothing when the thread had none
  };
  using Travellers = std::vector<std::unique_ptr<Traveller>>;

  virtual ~Home() = default;

  // Travellers of this home, from any thread; they arrive in their order.
  virtual void Take(Travellers travellers) = 0;

  [[nodiscard]] static const std::shared_ptr<Home>& OfThisThread();
  // What the calling thread begins comes back to `home` from now on. Nothing: it
  // has none, as threads do that never said.
  static void Settle(std::shared_ptr<Home> home);

  // While it lives the calling thread has no home: for those who wait on it for
  // what they begin, and could not open the door.
  class Away {
   public:
    Away();
    ~Away();
    Away(const Away&) = delete;
    Away& operator=(const Away&) = delete;

   private:
    std::shared_ptr<Home> home_;
  };
};

// Each to its own home, those of one home together and in their order.
void SendHome(Home::Travellers travellers);

}  // namespace taula::base
