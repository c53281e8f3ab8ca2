#include "engine/page.h"

#include <algorithm>
#include <memory>
#include <string_view>

#include "base/limits.h"
#include "codec/stored_item.h"
#include "engine/index_entries.h"
#include "engine/units.h"

namespace taula::engine {
namespace {

// Where the page begins and ends, given where the one before it stopped.
base::KeyRange RangeOfPage(const PageRequest& request) {
  base::KeyRange range = request.range;
  if (request.start_after == nullptr) return range;
  const ValueView start = request.start_after->view();
  std::string key = request.index == nullptr ? ItemStoreKey(*request.table, start)
                                             : IndexStoreKey(*request.table, *request.index, start).value_or("");
  if (request.view && !key.empty()) key = ViewKey(*request.table, request.index, request.view->order, key);
  if (request.reverse) {
    if (range.end.empty() || key < range.end) range.end = std::move(key);
  } else {
    key.push_back('\0');  // the first key behind it
    if (key > range.begin) range.begin = std::move(key);
  }
  return range;
}

// Collects one page while the store is being scanned.
class PageWalk {
 public:
  PageWalk(const PageRequest& request, const storage::Reader& reader, base::FunctionRef<void(ValueView)> sink)
      : request_(request), reader_(reader), sink_(sink) {}

  // Whether to go on.
  bool Visit(std::string_view stored) {
    const ValueView entry = codec::StoredItemValue(stored);
    bytes_ += codec::StoredItemSize(stored);
    ++end_.scanned_count;
    if (request_.fetch_from_table) {
      Fetch(entry);
    } else {
      Keep(entry);
    }
    const bool full = std::max(bytes_, fetched_bytes_) >= base::kPageBytesMax ||
                      (request_.limit && end_.scanned_count >= *request_.limit);
    if (full) end_.last_key = KeyOf(*request_.table, request_.index, entry);
    return !full && status_ == storage::Status::kOk;
  }

  // The same for an entry of a view. One that does not fit costs no capacity, but
  // counts for the page, so that no page takes long.
  bool VisitViewed(std::string_view view_key, bool fits) {
    if (!fits) passed_bytes_ += view_key.size();
    if (!fits && passed_bytes_ < base::kPageBytesMax) return true;
    bool go_on = true;
    const std::string key = ViewedKey(*request_.table, request_.index, request_.view->order, view_key);
    const storage::Status status = reader_.Get(key, [&](std::string_view stored) {
      go_on = fits && Visit(stored);
      if (!fits) end_.last_key = KeyOf(*request_.table, request_.index, codec::StoredItemValue(stored));
    });
    if (status != storage::Status::kOk) status_ = status;
    return go_on && status_ == storage::Status::kOk;
  }

  [[nodiscard]] Result<PageEnd> Finish(storage::Status scanned) {
    if (scanned != storage::Status::kOk || status_ != storage::Status::kOk) {
      return Fail(ErrorCode::kInternalServerError, "The store could not be read; the server's log says why.");
    }
    end_.capacity.table_name = request_.table->name;
    const double units = ReadUnits(bytes_, request_.consistent_read);
    if (request_.index == nullptr) {
      end_.capacity.table.read_units = units;
    } else {
      end_.capacity.table.read_units = fetched_units_;
      auto& indexes = request_.index->global ? end_.capacity.global_indexes : end_.capacity.local_indexes;
      indexes[request_.index->name].read_units = units;
    }
    return std::move(end_);
  }

 private:
  void Keep(ValueView item) {
    if (request_.filter != nullptr && !request_.filter->Evaluate(item.map())) return;
    ++end_.count;
    sink_(item);
  }

  void Fetch(ValueView entry) {
    status_ = reader_.Get(ItemStoreKey(*request_.table, entry), [this](std::string_view stored) {
      fetched_bytes_ += codec::StoredItemSize(stored);
      fetched_units_ += ReadUnits(codec::StoredItemSize(stored), request_.consistent_read);
      Keep(codec::StoredItemValue(stored));
    });
  }

  const PageRequest& request_;
  const storage::Reader& reader_;
  base::FunctionRef<void(ValueView)> sink_;
  PageEnd end_;
  std::size_t bytes_ = 0;
  // Of whole items looked up in the table, which bound the page as well: their
  // entries in the index may be a thousand times smaller.
  std::size_t fetched_bytes_ = 0;
  double fetched_units_ = 0;
  std::size_t passed_bytes_ = 0;  // of a view's keys that did not fit
  storage::Status status_ = storage::Status::kOk;
};

storage::Status WalkPageOfView(const PageRequest& request, const base::KeyRange& range, const storage::Reader& reader,
                               storage::ScanOptions options, PageWalk& walk) {
  // Keys that do not fit are no items.
  if (!request.view->parts.empty()) options.items_max = 0;
  const catalog::KeySchema& key = request.index == nullptr ? request.table->key : request.index->key;
  return WalkView(reader, key, *request.view, range, options,
                  [&walk](std::string_view view_key, bool fits) { return walk.VisitViewed(view_key, fits); });
}

}  // namespace

Result<PageEnd> ReadPage(const storage::Store& store, const storage::Reader* state, const PageRequest& request,
                         base::FunctionRef<void(ValueView item)> sink) {
  const base::KeyRange range = RangeOfPage(request);
  // One scan sees one state by itself; only what looks up more needs a second
  // look at it.
  const std::unique_ptr<storage::Reader> snapshot =
      state == nullptr && (request.fetch_from_table || request.view) ? store.Snapshot() : nullptr;
  if (state == nullptr) state = snapshot ? snapshot.get() : static_cast<const storage::Reader*>(&store);
  const storage::Reader& reader = *state;
  PageWalk walk(request, reader, sink);
  const storage::ScanOptions options{.reverse = request.reverse,
                                     .items_max = static_cast<std::size_t>(request.limit.value_or(0))};
  storage::Status status = storage::Status::kOk;
  if (!range.end.empty() && range.begin >= range.end) return walk.Finish(status);
  if (request.view) {
    status = WalkPageOfView(request, range, reader, options, walk);
  } else {
    status =
        reader.Scan(range, options, [&walk](std::string_view, std::string_view stored) { return walk.Visit(stored); });
  }
  return walk.Finish(status);
}

}  // namespace taula::engine
