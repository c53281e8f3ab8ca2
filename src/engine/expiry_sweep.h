// Removes items whose time to live has ended.
#pragma once

#include <cstddef>
#include <stop_token>

#include "base/clock.h"
#include "catalog/catalog.h"
#include "metrics/traffic.h"
#include "storage/store.h"

namespace taula::engine {

// Looks through the tables once, and returns how many items it has removed.
// Each is a write like any other: indexes, counters, claims and the stream are
// kept in step, and an item whose time was changed at the last moment stays.
// Takes its time where there are many, so that others get their turn.
std::size_t SweepExpired(storage::Store& store, const catalog::Catalog& catalog, const base::Clock& clock,
                         metrics::Traffic& traffic, const std::stop_token& stop);

}  // namespace taula::engine
