// A space for what is needed only as long as some work goes on. It is erased at
// the end, or when the database is opened again.
#pragma once

#include "catalog/catalog.h"
#include "codec/key_codec.h"
#include "storage/store.h"

namespace taula::engine {

class ScratchSpace {
 public:
  ScratchSpace(storage::Store& store, catalog::Catalog& catalog)
      : store_(store), catalog_(catalog), space_(catalog.NewScratchSpace()) {}
  ~ScratchSpace() {
    if (space_ && store_.EraseRange(codec::SpaceRange(*space_)) == storage::Status::kOk) {
      (void)catalog_.ForgetDropped(*space_);
    }
  }
  ScratchSpace(const ScratchSpace&) = delete;
  ScratchSpace& operator=(const ScratchSpace&) = delete;

  // An error when the store could not give one.
  [[nodiscard]] const Result<codec::SpaceId>& space() const { return space_; }

 private:
  storage::Store& store_;
  catalog::Catalog& catalog_;
  const Result<codec::SpaceId> space_;
};

}  // namespace taula::engine
