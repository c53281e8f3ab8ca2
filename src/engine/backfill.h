// Filling a new index of a table that already has items, while others write.
//
// It is exact: in the end every item has its entry, no entry is without its
// item, and the counters are right. That it is under way is in the catalog, so
// it is done again, from the start, after a crash.
//
//  1. The index is published as kCreating. From then on writes keep it, but
//     beside them may run writes of the time before, which do not know it: such
//     a write may remove an item and leave the entry that another one made.
//  2. When no write of the time before is under way any more, every write leaves
//     the right entry behind, and a snapshot is taken. The entries in it are few:
//     those made since 1. For each of them one step of the store reads the item
//     as it is by then, and deletes the entry when it is not the item's.
//  3. For each item in the snapshot, one step of the store reads the item as it
//     is by then and puts its entry. What is not in the snapshot was written
//     later, with its entry.
//  4. Since 1, writes add to the index's counters the difference between an
//     item's entry after and before them, whether or not that entry was there
//     yet. So what was added since the snapshot is right, and only the state in
//     the snapshot is not: the correction is the entries of the snapshot's items
//     less the counters in the same snapshot. Doing it all again gives a
//     correction of zero, so a crash behind it does no harm.
//  5. The index is published as kActive.
#pragma once

#include <stop_token>
#include <string>

#include "catalog/catalog.h"
#include "codec/key_codec.h"
#include "storage/store.h"

namespace taula::engine {

struct FillTask {
  std::string table_name;
  std::string table_id;
  codec::SpaceId index_space = 0;
};

// Fills the index, unless it is gone by then. Pauses between its steps so that
// writers get their turn, and tries again what the store refuses; returns early
// only when it is stopped.
void FillIndex(storage::Store& store, catalog::Catalog& catalog, const FillTask& task, std::stop_token stop);

}  // namespace taula::engine
