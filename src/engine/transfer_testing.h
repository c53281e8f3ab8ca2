// A database with a folder of buckets, and exports and imports in short: what the
// tests of both share.
#pragma once

#include <gtest/gtest.h>
#include <simdjson.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "buckets/export_files.h"
#include "buckets/testing.h"
#include "codec/json_request.h"
#include "codec/stored_item.h"
#include "engine/engine_testing.h"
#include "engine/index_entries.h"

namespace taula::engine {

using Contents = std::map<std::string, Item>;  // by the bytes of the key

// Comes before the engine that uses it.
struct WithBuckets {
  buckets::BucketFolder buckets_;
};

class TransferTest : public WithBuckets, public EngineTest {
 protected:
  static constexpr std::int64_t kMinuteMs = 60'000;

  TransferTest() : EngineTest(OptionsWith(buckets_.root())) { CreateTable(); }

  static EngineOptions OptionsWith(std::string buckets) {
    EngineOptions options;
    options.buckets = std::move(buckets);
    return options;
  }

  [[nodiscard]] Exports& exports() { return engine_->exports(); }
  [[nodiscard]] Imports& imports() { return engine_->imports(); }

  void KeepHistory() { ASSERT_TRUE(engine_->backups().SetRecovery(kTable, true, std::nullopt)); }

  ExportRequest Request() {
    ExportRequest request;
    const catalog::TablePtr table = engine_->FindTable(kTable);
    request.table_name = table->name;
    request.table_id = table->id;
    request.bucket = buckets::BucketFolder::kName;
    return request;
  }
  ExportRequest Incremental(std::int64_t from_ms, std::optional<std::int64_t> to_ms = std::nullopt) {
    ExportRequest request = Request();
    request.period = {.from_ms = from_ms, .to_ms = to_ms, .old_images = true};
    return request;
  }

  catalog::ExportPtr Export(const ExportRequest& request) {
    const auto begun = exports().Start(request);
    EXPECT_TRUE(begun) << begun.error().message;
    if (!begun) return nullptr;
    exports().WaitUntilIdle();
    auto done = exports().Find(exports().Arn(**begun));
    EXPECT_TRUE(done);
    EXPECT_EQ((*done)->status, catalog::JobStatus::kCompleted)
        << ((*done)->failure ? (*done)->failure->message : std::string("not over"));
    return *done;
  }

  // The lines of all files that the export's manifest names.
  std::vector<std::string> LinesOf(const catalog::Export& job) {
    const std::string folder = buckets::JoinKey(job.prefix.value_or(""), "AWSDynamoDB/" + job.id);
    std::vector<std::string> lines;
    for (const std::string& entry : Split(buckets_.Get(folder + "/manifest-files.json"))) {
      constexpr std::string_view kKey = "\"dataFileS3Key\":\"";
      const std::size_t begin = entry.find(kKey) + kKey.size();
      const std::string key = entry.substr(begin, entry.find('"', begin) - begin);
      for (std::string& line : Split(buckets::Gunzip(buckets_.Get(key)))) lines.push_back(std::move(line));
    }
    return lines;
  }

  static std::vector<std::string> Split(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t at = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', at)) {
      lines.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    EXPECT_EQ(at, text.size()) << "the last line has no end";
    return lines;
  }

  // An item, or a key, of a line.
  static std::optional<Item> Member(std::string line, std::string_view name) {
    line.reserve(line.size() + simdjson::SIMDJSON_PADDING);
    codec::JsonBody json;
    const auto members = json.Parse(line);
    EXPECT_TRUE(members) << line;
    std::optional<codec::ValueFault> fault;
    std::optional<Item> item = (*members)[name].Item(fault);
    EXPECT_FALSE(members->failed() || fault) << line;
    return item;
  }

  std::string KeyBytes(const Item& item) { return KeyOf(*engine_->FindTable(kTable), nullptr, item.view()).encoded(); }

  Contents ContentsOf(const catalog::Export& full) {
    Contents contents;
    for (const std::string& line : LinesOf(full)) {
      const std::optional<Item> item = Member(line, "Item");
      EXPECT_TRUE(item && contents.emplace(KeyBytes(*item), *item).second) << line;
    }
    return contents;
  }

  Contents ContentsOf(std::string_view table_name) {
    Contents contents;
    const catalog::TablePtr table = engine_->FindTable(table_name);
    if (table == nullptr) return contents;
    EXPECT_EQ(engine_->store().Scan(codec::SpaceRange(table->space), {},
                                    [&](std::string_view, std::string_view stored) {
                                      const Item item(codec::StoredItemValue(stored));
                                      contents.emplace(KeyBytes(item), item);
                                      return true;
                                    }),
              storage::Status::kOk);
    return contents;
  }

  // What an incremental export says has become of the items.
  void Replay(const catalog::Export& incremental, Contents& contents) {
    for (const std::string& line : LinesOf(incremental)) {
      const std::optional<Item> key = Member(line, "Keys");
      ASSERT_TRUE(key) << line;
      const auto known = contents.find(key->encoded());
      const std::optional<Item> before = Member(line, "OldImage");
      EXPECT_EQ(before, known == contents.end() ? std::nullopt : std::optional(known->second)) << line;
      if (const std::optional<Item> after = Member(line, "NewImage")) {
        contents.insert_or_assign(key->encoded(), *after);
      } else {
        contents.erase(key->encoded());
      }
    }
  }
};

}  // namespace taula::engine
