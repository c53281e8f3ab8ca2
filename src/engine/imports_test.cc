#include "engine/imports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "catalog/item_rules.h"
#include "engine/transfer_testing.h"
#include "storage/rocksdb/rocksdb_store.h"

namespace taula::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kCopy = "copy";

class ImportsTest : public TransferTest {
 protected:
  static ImportRequest Import(std::string prefix = "data/", std::string_view name = kCopy) {
    ImportRequest request;
    request.table.table_name = name;
    request.table.attribute_definitions = {{"PK", Type::kString}, {"SK", Type::kString}, {"status", Type::kString}};
    request.table.key_schema = {{"PK", KeyType::kHash}, {"SK", KeyType::kRange}};
    IndexDefinition index;
    index.name = "byStatus";
    index.key_schema = {{"status", KeyType::kHash}};
    index.projection = {.type = ProjectionType::kAll, .non_key_attributes = {}};
    request.table.global_indexes = {index};
    request.table.billing_mode = BillingMode::kPayPerRequest;
    request.bucket = buckets::BucketFolder::kName;
    request.prefix = std::move(prefix);
    request.format = "DYNAMODB_JSON";
    return request;
  }

  catalog::ImportPtr Run(const ImportRequest& request) {
    const auto begun = imports().Start(request);
    EXPECT_TRUE(begun) << begun.error().message;
    if (!begun) return nullptr;
    imports().WaitUntilIdle();
    return *imports().Find(imports().Arn(**begun));
  }

  void ExpectCounts(const catalog::Import& job, std::int64_t processed, std::int64_t imported, std::int64_t errors) {
    EXPECT_EQ(job.counts.processed_items, processed);
    EXPECT_EQ(job.counts.imported_items, imported);
    EXPECT_EQ(job.counts.errors, errors);
    EXPECT_EQ(job.status, errors == 0 ? catalog::JobStatus::kCompleted : catalog::JobStatus::kFailed);
    if (errors == 0) return;
    EXPECT_EQ(job.failure->code, "ItemValidationError");
    EXPECT_EQ(job.failure->message,
              "Some of the items failed validation checks and were not imported. Please check CloudWatch error logs "
              "for more details.");
  }

  [[nodiscard]] TableStatus StatusOf(std::string_view name) const { return engine_->FindTable(name)->status; }

  static std::string Line(std::string_view pk, std::string_view rest = "") {
    return R"({"Item":{"PK":{"S":")" + std::string(pk) + R"("},"SK":{"S":"1"})" + std::string(rest) + "}}\n";
  }

  [[nodiscard]] std::string Log(const catalog::Import& job) const {
    return buckets_.Get("../.import-errors/" + job.id + ".json");
  }
};

TEST_F(ImportsTest, AnExportComesBackAsItWas) {
  KeepHistory();
  Put({{"PK", "a"},
       {"SK", "all"},
       {"s", "text \"with\" \n\t quotes \xc3\xa9"},
       {"empty", ""},
       {"n", *Value::Number("-1.5E-100")},
       {"b", Value::Binary(std::string_view("\0\xff", 2))},
       {"emptyB", Value::Binary("")},
       {"t", Value(true)},
       {"null", Value::Null()},
       {"ss", Value::StringSet({"b", "a"})},
       {"ns", *Value::NumberSet(std::vector<std::string>{"1", "2.5"})},
       {"bs", Value::BinarySet({"x", "y"})},
       {"l", Value::List({Value("x"), Value::List({}), Value::Map({})})},
       {"m", Value::Map({{"in", Value::Map({{"deep", Value(1)}})}})},
       {"status", "open"}});
  for (int i = 0; i < 700; ++i) Put({{"PK", std::to_string(i)}, {"SK", "1"}, {"v", i}});
  const catalog::ExportPtr exported = Export(Request());
  ImportRequest request = Import("AWSDynamoDB/" + exported->id + "/data/");
  request.compression = "GZIP";
  const catalog::ImportPtr job = Run(request);
  ExpectCounts(*job, 701, 701, 0);
  EXPECT_GT(job->counts.processed_bytes, 701 * 20);
  EXPECT_EQ(ContentsOf(kCopy), ContentsOf(kTable));
  EXPECT_EQ(StatusOf(kCopy), TableStatus::kActive);
  const TableDescription copy = *engine_->tables().Describe(kCopy);
  const TableDescription original = *engine_->tables().Describe(kTable);
  EXPECT_EQ(copy.item_count, original.item_count);
  EXPECT_EQ(copy.size_bytes, original.size_bytes);
  EXPECT_EQ(copy.global_indexes.at(0).item_count, 1);
  EXPECT_EQ(copy.id, job->table.id);
}

TEST_F(ImportsTest, TheWholeFolderOfAnExportIsTooMuch) {
  KeepHistory();
  for (int i = 0; i < 3; ++i) Put({{"PK", std::to_string(i)}, {"SK", "1"}});
  const catalog::ExportPtr exported = Export(Request());
  ImportRequest request = Import("AWSDynamoDB/" + exported->id + "/");
  request.compression = "GZIP";
  // The manifests and their sums are not compressed.
  ExpectCounts(*Run(request), 7, 3, 4);
  request = Import("AWSDynamoDB/" + exported->id + "/data/", "plain");
  ExpectCounts(*Run(request), 1, 0, 1);
}

TEST_F(ImportsTest, ReadsZstd) {
  buckets_.Put("data/1.zst", buckets::Zstd(Line("a") + Line("b")));
  ImportRequest request = Import();
  request.compression = "ZSTD";
  ExpectCounts(*Run(request), 2, 2, 0);
  EXPECT_THAT(ContentsOf(kCopy), SizeIs(2));
}

TEST_F(ImportsTest, BadItemsAreLeftOutAndLogged) {
  std::string lines;
  for (int i = 0; i < 9; ++i) lines += Line(std::to_string(i));
  lines += "{\"Item\":{\"PK\":{\"S\":\"x\"}}}\n";
  buckets_.Put("data/1.json", lines);
  const catalog::ImportPtr job = Run(Import());
  ExpectCounts(*job, 10, 9, 1);
  EXPECT_EQ(StatusOf(kCopy), TableStatus::kActive);
  EXPECT_THAT(ContentsOf(kCopy), SizeIs(9));
  EXPECT_EQ(Log(*job),
            R"({"itemS3Pointer":{"bucket":"bucket","key":"data/1.json","itemIndex":9},"importArn":")" +
                imports().Arn(*job) +
                R"(","errorMessages":["One or more parameter values were invalid: Missing the key SK in the )"
                R"(item"]})"
                "\n");
}

TEST_F(ImportsTest, ALineThatIsNoItemCostsTheRestOfItsObject) {
  std::string lines;
  for (int i = 0; i < 5; ++i) lines += Line(std::to_string(i));
  lines += "garbage\n";
  for (int i = 5; i < 9; ++i) lines += Line(std::to_string(i));
  buckets_.Put("data/1.json", lines);
  buckets_.Put("data/2.json", Line("other"));
  ExpectCounts(*Run(Import()), 7, 6, 1);
  EXPECT_THAT(ContentsOf(kCopy), SizeIs(6));
}

TEST_F(ImportsTest, ItemsMustFitTheTableAndItsIndexes) {
  buckets_.Put("data/1.json", Line("a", R"(,"status":{"N":"1"})") + Line("b", R"(,"status":{"S":""})") + Line("") +
                                  Line("c", R"(,"big":{"S":")" + std::string(410'000, 'x') + "\"}") +
                                  R"({"Item":{"PK":{"N":"1"},"SK":{"S":"1"}}})"
                                  "\n" +
                                  Line("good"));
  ExpectCounts(*Run(Import()), 6, 1, 5);
}

TEST_F(ImportsTest, OfItemsWithOneKeyTheLastStays) {
  std::string lines;
  for (int i = 0; i < 1500; ++i) {
    lines += Line(std::to_string(i % 600), R"(,"status":{"S":")" + std::to_string(i) + "\"}");
  }
  buckets_.Put("data/1.json", lines);
  const catalog::ImportPtr job = Run(Import());
  ExpectCounts(*job, 1500, 1500, 0);
  const Contents contents = ContentsOf(kCopy);
  EXPECT_THAT(contents, SizeIs(600));
  for (const auto& [key, item] : contents) {
    const int pk = std::stoi(std::string(item.Find("PK")->bytes()));
    EXPECT_EQ(item.Find("status")->bytes(), std::to_string(pk < 300 ? pk + 1200 : pk + 600));
  }
  const TableDescription table = *engine_->tables().Describe(kCopy);
  EXPECT_EQ(table.item_count, 600);
  EXPECT_EQ(table.global_indexes.at(0).item_count, 600);
}

TEST_F(ImportsTest, CsvKeysHaveTheTypesOfTheTable) {
  buckets_.Put("data/1.csv", "id,status,age\n1,open,30\n2,closed,40\nx,open,1\n");
  ImportRequest request = Import();
  request.format = "CSV";
  request.table.attribute_definitions = {{"id", Type::kNumber}, {"status", Type::kString}};
  request.table.key_schema = {{"id", KeyType::kHash}};
  ExpectCounts(*Run(request), 3, 2, 1);
  std::vector<Item> items;
  const catalog::TablePtr table = engine_->FindTable(kCopy);
  (void)engine_->store().Scan(codec::SpaceRange(table->space), {}, [&](std::string_view, std::string_view stored) {
    items.emplace_back(codec::StoredItemValue(stored));
    return true;
  });
  EXPECT_THAT(items, testing::UnorderedElementsAre(Item{{"id", 1}, {"status", "open"}, {"age", "30"}},
                                                   Item{{"id", 2}, {"status", "closed"}, {"age", "40"}}));
}

TEST_F(ImportsTest, NothingToReadIsAnEmptyTable) {
  ExpectCounts(*Run(Import("none/")), 0, 0, 0);
  EXPECT_EQ(StatusOf(kCopy), TableStatus::kActive);
}

TEST_F(ImportsTest, WithoutABucketThereIsNoTable) {
  ImportRequest request = Import();
  request.bucket = "none";
  const catalog::ImportPtr job = Run(request);
  EXPECT_EQ(job->status, catalog::JobStatus::kFailed);
  EXPECT_EQ(job->failure->code, "S3NoSuchBucket");
  EXPECT_EQ(engine_->FindTable(kCopy), nullptr);
  request = Import();
  request.bucket_owner = "999999999999";
  EXPECT_EQ(Run(request)->failure->code, "S3AccessDenied");
}

TEST_F(ImportsTest, ATableThatIsThereIsInTheWay) {
  const auto begun = imports().Start(Import("data/", kTable));
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().code, ErrorCode::kResourceInUseException);
  EXPECT_EQ(begun.error().message, "Table already exists: orders");
}

TEST_F(ImportsTest, OfTwoForOneTableTheSecondFails) {
  std::string lines;
  for (int i = 0; i < 20'000; ++i) lines += Line(std::to_string(i));
  buckets_.Put("data/1.json", lines);
  const auto first = imports().Start(Import());
  ASSERT_TRUE(first);
  const auto second = imports().Start(Import());
  ASSERT_TRUE(second) << second.error().message;
  imports().WaitUntilIdle();
  EXPECT_EQ((*imports().Find(imports().Arn(**first)))->status, catalog::JobStatus::kCompleted);
  const auto failed = *imports().Find(imports().Arn(**second));
  EXPECT_EQ(failed->status, catalog::JobStatus::kFailed);
  EXPECT_EQ(failed->failure->code, "TableAlreadyExists");
}

TEST_F(ImportsTest, OneTokenIsOneImport) {
  buckets_.Put("data/1.json", Line("a"));
  ImportRequest request = Import();
  request.client_token = "token";
  const std::string id = Run(request)->id;
  // While the table is there, that comes first.
  EXPECT_EQ(imports().Start(request).error().code, ErrorCode::kResourceInUseException);
  ImportRequest other = request;
  other.table.table_name = "another";
  const auto conflict = imports().Start(other);
  ASSERT_FALSE(conflict);
  EXPECT_EQ(conflict.error().code, ErrorCode::kImportConflictException);
  EXPECT_EQ(conflict.error().message, "Import conflict: Duplicate request detected with conflicting parameters");
  ASSERT_TRUE(engine_->tables().Delete(kCopy));
  request.prefix = "elsewhere/";
  EXPECT_EQ(Run(request)->id, id);
  EXPECT_EQ(engine_->FindTable(kCopy), nullptr);
}

TEST_F(ImportsTest, IsCheckedAsCreateTableIs) {
  ImportRequest request = Import();
  request.table.billing_mode.reset();
  const auto begun = imports().Start(request);
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().message,
            "One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be "
            "specified when BillingMode is PROVISIONED");
  request = Import("../secret");
  EXPECT_THAT(imports().Start(request).error().message, HasSubstr("S3KeyPrefix '../secret' is not a path"));
}

TEST_F(ImportsTest, LinksOutOfTheBucketAreNotFollowed) {
  std::filesystem::create_directory(buckets_.root() + "/secret");
  std::ofstream(buckets_.root() + "/secret/1.json") << Line("secret");
  std::filesystem::create_directory_symlink("../secret", buckets_.path("data"));
  const catalog::ImportPtr job = Run(Import());
  EXPECT_EQ(job->status, catalog::JobStatus::kFailed);
  EXPECT_EQ(job->failure->code, "S3AccessDenied");
  ExpectCounts(*Run(Import("", "all")), 0, 0, 0);
}

// Every item gets a mark, and a "bad" one is refused.
class MarkingRules final : public catalog::ItemRules {
 public:
  [[nodiscard]] Result<std::optional<Item>> Keep(const catalog::ItemChange& change) const override {
    if (change.after.Find("bad")) return ValidationError("bad is not wanted");
    return Item(change.after).Set("marked", Value(true));
  }
  [[nodiscard]] std::vector<catalog::Claim> Claims(ValueView /*item*/) const override { return {}; }
  [[nodiscard]] std::string_view claims_id() const override { return ""; }
};

TEST_F(ImportsTest, TheRulesOfADesignAreKept) {
  ASSERT_TRUE(engine_->PutRulesOn(kCopy, std::make_shared<MarkingRules>()));
  buckets_.Put("data/1.json", Line("a") + Line("b", R"(,"bad":{"S":"x"})") + Line("c"));
  const catalog::ImportPtr job = Run(Import());
  ExpectCounts(*job, 3, 2, 1);
  EXPECT_THAT(Log(*job), HasSubstr(R"("itemIndex":1})"));
  EXPECT_THAT(Log(*job), HasSubstr("bad is not wanted"));
  for (const auto& [key, item] : ContentsOf(kCopy)) EXPECT_TRUE(item.Find("marked"));
}

// An item claims its value of "email".
class ClaimingRules final : public catalog::ItemRules {
 public:
  [[nodiscard]] Result<std::optional<Item>> Keep(const catalog::ItemChange& /*change*/) const override {
    return std::nullopt;
  }
  [[nodiscard]] std::vector<catalog::Claim> Claims(ValueView item) const override {
    const auto email = item.Find("email");
    if (!email) return {};
    return {{.name = std::string(email->bytes()), .meaning = "email"}};
  }
  [[nodiscard]] std::string_view claims_id() const override { return "email"; }
};

TEST_F(ImportsTest, OfItemsWithOneKeyTheLastStaysAndHasItsClaims) {
  ASSERT_TRUE(engine_->PutRulesOn(kCopy, std::make_shared<ClaimingRules>()));
  std::string lines;
  for (int i = 0; i < 300; ++i) lines += Line("a", R"(,"email":{"S":")" + std::to_string(i) + R"("})");
  buckets_.Put("data/1.json", lines + Line("thief", R"(,"email":{"S":"299"})") + Line("b", R"(,"email":{"S":"298"})"));
  const catalog::ImportPtr job = Run(Import());
  ExpectCounts(*job, 302, 301, 1);
  EXPECT_EQ(ContentsOf(kCopy).size(), 2U);
  for (const auto& [key, item] : ContentsOf(kCopy)) {
    EXPECT_EQ(item.Find("email")->bytes(), item.Find("PK")->bytes() == "a" ? "299" : "298");
  }
}

TEST(ImportsInADurableStore, GoOnAfterTheServerWasStopped) {
  buckets::BucketFolder buckets;
  const std::string path = buckets.root() + "/store";
  constexpr int kItems = 60'000;
  std::string lines;
  for (int i = 0; i < kItems; ++i) {
    lines += R"({"Item":{"PK":{"S":")" + std::to_string(i) +
             R"("},"text":{"S":"some text to make it longer"}}})"
             "\n";
  }
  buckets.Put("data/1.json", lines);
  const auto open = [&] {
    storage::RocksDbOptions store_options;
    store_options.path = path;
    store_options.durability = Durability::kRelaxed;
    auto store = storage::OpenRocksDb(store_options);
    EXPECT_TRUE(store) << store.error();
    EngineOptions options;
    options.buckets = buckets.root();
    options.expiry_interval = {};
    return *Engine::Open(*std::move(store), options);
  };
  std::string arn;
  {
    const auto engine = open();
    ImportRequest request;
    request.table.table_name = kCopy;
    request.table.attribute_definitions = {{"PK", Type::kString}};
    request.table.key_schema = {{"PK", KeyType::kHash}};
    request.table.billing_mode = BillingMode::kPayPerRequest;
    request.bucket = buckets::BucketFolder::kName;
    request.prefix = "data/";
    request.format = "DYNAMODB_JSON";
    const auto begun = engine->imports().Start(request);
    ASSERT_TRUE(begun) << begun.error().message;
    arn = engine->imports().Arn(**begun);
    while (engine->imports().Counts(**begun).processed_items == 0) std::this_thread::yield();
  }
  const auto engine = open();
  const auto found = engine->imports().Find(arn);
  ASSERT_TRUE(found);
  ASSERT_EQ((*found)->status, catalog::JobStatus::kInProgress) << "it was over too soon";
  ASSERT_EQ(engine->FindTable(kCopy)->status, TableStatus::kCreating);
  engine->TakeUpTransfers();
  engine->imports().WaitUntilIdle();
  EXPECT_EQ((*engine->imports().Find(arn))->status, catalog::JobStatus::kCompleted);
  EXPECT_EQ(engine->FindTable(kCopy)->status, TableStatus::kActive);
  EXPECT_EQ(engine->tables().Describe(kCopy)->item_count, kItems);
}

}  // namespace
}  // namespace taula::engine
