#include "api/range_query.h"

#include <algorithm>
#include <atomic>
#include <random>

#include "api/operations.h"
#include "api/put_item.h"
#include "api/query.h"
#include "api/wire_test.h"
#include "expression/compare.h"
#include "storage/forwarding_store_testing.h"
#include "storage/memory/memory_store.h"

namespace taula::api {
namespace {

// Batches of several users and their steps, as one of the applications keeps
// them: gpk and gsk are the keys of an index, gsk a number.
class RangeQuery : public WireTest {
 protected:
  void SetUp() override {
    Enable("comp");
    Put("USER#1", "BATCH#1", "BATCH#1", 30);
    Put("USER#1", "BATCH#2", "BATCH#2", 10);
    Put("USER#2", "BATCH#3", "BATCH#3", 20);
    Put("USER#2", "STEP#1", "STEP#1", 15);
    CallAll(PutItem, {R"({"TableName":"comp","Item":{"pk":{"S":"USER#3"},"sk":{"S":"NOTE#1"}}})"});
  }

  void Enable(std::string_view table) {
    const Result<void> enabled = context().engine.tables().EnableRangeQueries(table);
    ASSERT_TRUE(enabled) << enabled.error().message;
  }

  void Put(const std::string& pk, const std::string& sk, const std::string& gpk, int gsk) {
    const std::string body = R"({"TableName":"comp","Item":{"pk":{"S":")" + pk + R"("},"sk":{"S":")" + sk +
                             R"("},"gpk":{"S":")" + gpk + R"("},"gsk":{"N":")" + std::to_string(gsk) +
                             R"("},"v":{"S":")" + sk + R"("}}})";
    CallAll(PutItem, {body});
  }

  std::string QueryComp(std::string_view condition, std::string_view values, std::string_view rest = "") {
    return Call(Query, R"({"TableName":"comp","KeyConditionExpression":")" + std::string(condition) +
                           R"(","ExpressionAttributeValues":{)" + std::string(values) + "}" + std::string(rest) + "}");
  }
  // The sort keys in the table of what a query finds.
  std::string Found(std::string_view condition, std::string_view values, std::string_view rest = "") {
    return QueryComp(condition, values, R"(,"ProjectionExpression":"sk")" + std::string(rest));
  }
  static std::string Page(std::initializer_list<std::string_view> sort_keys, std::string_view rest = "") {
    std::string items;
    for (const std::string_view sk : sort_keys) {
      if (!items.empty()) items += ",";
      items += R"({"sk":{"S":")" + std::string(sk) + R"("}})";
    }
    const std::string count = std::to_string(sort_keys.size());
    return R"({"Items":[)" + items + R"(],"Count":)" + count + R"(,"ScannedCount":)" + count + std::string(rest) + "}";
  }
};

constexpr std::string_view kGsi = R"(,"IndexName":"gsi")";

TEST_F(RangeQuery, ReadsARangeOfPartitionsInTheirOrder) {
  EXPECT_EQ(Found("begins_with(gpk, :p)", R"(":p":{"S":"BATCH#"})", kGsi), Page({"BATCH#1", "BATCH#2", "BATCH#3"}));
  EXPECT_EQ(Found("gpk > :p", R"(":p":{"S":"BATCH#2"})", kGsi), Page({"BATCH#3", "STEP#1"}));
  EXPECT_EQ(Found("gpk >= :p", R"(":p":{"S":"BATCH#2"})", kGsi), Page({"BATCH#2", "BATCH#3", "STEP#1"}));
  EXPECT_EQ(Found("gpk < :p", R"(":p":{"S":"BATCH#2"})", kGsi), Page({"BATCH#1"}));
  EXPECT_EQ(Found("gpk <= :p", R"(":p":{"S":"BATCH#2"})", kGsi), Page({"BATCH#1", "BATCH#2"}));
  EXPECT_EQ(Found("gpk BETWEEN :p AND :q", R"(":p":{"S":"BATCH#2"},":q":{"S":"BATCH#3"})", kGsi),
            Page({"BATCH#2", "BATCH#3"}));
  EXPECT_EQ(Found("begins_with(pk, :p)", R"(":p":{"S":"USER#"})"),
            Page({"BATCH#1", "BATCH#2", "BATCH#3", "STEP#1", "NOTE#1"}));
  EXPECT_EQ(Found("begins_with(pk, :p)", R"(":p":{"S":"USER#"})", R"(,"ScanIndexForward":false)"),
            Page({"NOTE#1", "STEP#1", "BATCH#3", "BATCH#2", "BATCH#1"}));
}

TEST_F(RangeQuery, ReadsTheSortKeyOfAllPartitionsInItsOrder) {
  EXPECT_EQ(Found("gsk < :n", R"(":n":{"N":"30"})", kGsi), Page({"BATCH#2", "STEP#1", "BATCH#3"}));
  EXPECT_EQ(Found("gsk = :n", R"(":n":{"N":"15"})", kGsi), Page({"STEP#1"}));
  EXPECT_EQ(Found("begins_with(sk, :s)", R"(":s":{"S":"BATCH#"})"), Page({"BATCH#1", "BATCH#2", "BATCH#3"}));
}

TEST_F(RangeQuery, OrdersBySortKeyWhenBothKeysHaveARange) {
  EXPECT_EQ(Found("begins_with(gpk, :p) AND gsk < :n", R"(":p":{"S":"BATCH#"},":n":{"N":"30"})", kGsi),
            Page({"BATCH#2", "BATCH#3"}));
  EXPECT_EQ(Found("begins_with(gpk, :p) AND gsk > :n", R"(":p":{"S":"BATCH#"},":n":{"N":"0"})",
                  R"(,"IndexName":"gsi","ScanIndexForward":false)"),
            Page({"BATCH#1", "BATCH#3", "BATCH#2"}));
}

TEST_F(RangeQuery, IntersectsConditionsOnOneKey) {
  EXPECT_EQ(Found("pk = :p AND begins_with(sk, :s) AND sk > :x",
                  R"(":p":{"S":"USER#1"},":s":{"S":"BATCH#"},":x":{"S":"BATCH#1"})"),
            Page({"BATCH#2"}));
  EXPECT_EQ(Found("gpk > :p AND gpk < :q", R"(":p":{"S":"BATCH#1"},":q":{"S":"STEP#"})", kGsi),
            Page({"BATCH#2", "BATCH#3"}));
  EXPECT_EQ(Found("gpk < :p AND gpk > :q", R"(":p":{"S":"BATCH#1"},":q":{"S":"STEP#"})", kGsi), Page({}));
  EXPECT_EQ(Found("pk = :p AND pk = :q", R"(":p":{"S":"USER#1"},":q":{"S":"USER#2"})"), Page({}));
}

TEST_F(RangeQuery, PagesWithTheKeysOfIndexAndTable) {
  const std::string first = QueryComp("begins_with(gpk, :p)", R"(":p":{"S":"BATCH#"})",
                                      R"(,"IndexName":"gsi","Limit":2,"ProjectionExpression":"sk")");
  constexpr std::string_view kLast =
      R"({"gpk":{"S":"BATCH#2"},"gsk":{"N":"10"},"pk":{"S":"USER#1"},"sk":{"S":"BATCH#2"}})";
  EXPECT_EQ(first, Page({"BATCH#1", "BATCH#2"}, R"(,"LastEvaluatedKey":)" + std::string(kLast)));
  EXPECT_EQ(Found("begins_with(gpk, :p)", R"(":p":{"S":"BATCH#"})",
                  R"(,"IndexName":"gsi","ExclusiveStartKey":)" + std::string(kLast)),
            Page({"BATCH#3"}));
  EXPECT_EQ(Found("begins_with(gpk, :p)", R"(":p":{"S":"STEP#"})",
                  R"(,"IndexName":"gsi","ExclusiveStartKey":)" + std::string(kLast)),
            "ValidationException: The provided starting key is outside query boundaries based on provided conditions");
}

TEST_F(RangeQuery, FiltersCountsAndConsumesLikeAnyQuery) {
  EXPECT_EQ(QueryComp("begins_with(gpk, :p)", R"(":p":{"S":"BATCH#"},":v":{"S":"BATCH#2"})",
                      R"(,"IndexName":"gsi","FilterExpression":"v = :v","Select":"COUNT",)"
                      R"("ReturnConsumedCapacity":"INDEXES")"),
            R"({"Count":1,"ScannedCount":3,"ConsumedCapacity":{"TableName":"comp","CapacityUnits":0.5,)"
            R"("Table":{"CapacityUnits":0.0},"GlobalSecondaryIndexes":{"gsi":{"CapacityUnits":0.5}}}})");
  EXPECT_EQ(QueryComp("gsk < :n", R"(":n":{"N":"30"})", R"(,"IndexName":"gsi","FilterExpression":"gpk = :n")"),
            "ValidationException: Filter Expression can only contain non-primary key attributes: Primary key "
            "attribute: gpk");
}

TEST_F(RangeQuery, TakesLegacyConditions) {
  EXPECT_EQ(Call(Query, R"({"TableName":"comp","IndexName":"gsi","AttributesToGet":["sk"],"KeyConditions":{)"
                        R"("gpk":{"ComparisonOperator":"BEGINS_WITH","AttributeValueList":[{"S":"BATCH#"}]},)"
                        R"("gsk":{"ComparisonOperator":"LT","AttributeValueList":[{"N":"30"}]}}})"),
            Page({"BATCH#2", "BATCH#3"}));
}

TEST_F(RangeQuery, RefusesWhatIsNoRangeOfKeysInAmazonsWords) {
  const Exchange refused[] = {
      {"v = :s", "Query condition missed key schema element: pk"},
      {"pk > :s AND v = :s", "Query key condition not supported"},
      {"pk > :n", "One or more parameter values were invalid: Condition parameter type does not match schema type"},
      {"sk > :n", "One or more parameter values were invalid: Condition parameter type does not match schema type"},
      {"pk > :s OR pk < :s", "Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: OR"},
      {"pk <> :s", "Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: <>"},
  };
  for (const Exchange& exchange : refused) {
    const bool number = exchange.request.contains(":n");
    EXPECT_EQ(QueryComp(exchange.request, number ? R"(":n":{"N":"1"})" : R"(":s":{"S":"x"})"),
              std::string(kInvalid) + std::string(exchange.answer))
        << exchange.request;
  }
  EXPECT_EQ(QueryComp("begins_with(pk, :s)", R"(":s":{"S":"USER#"})", R"(,"IndexName":"lsi")"),
            "ValidationException: Query key condition not supported");
}

TEST_F(RangeQuery, IsRefusedOnTablesWithoutTheExtension) {
  const auto query = [this](std::string_view condition) {
    return Call(Query, R"({"TableName":"num","KeyConditionExpression":")" + std::string(condition) +
                           R"(","ExpressionAttributeValues":{":n":{"N":"1"}}})");
  };
  EXPECT_EQ(query("pk > :n"), "ValidationException: Query key condition not supported");
  EXPECT_EQ(query("sk > :n"), "ValidationException: Query condition missed key schema element: pk");
  EXPECT_EQ(query("pk = :n AND sk > :n AND sk < :n"),
            "ValidationException: Invalid KeyConditionExpression: KeyConditionExpressions must only contain one "
            "condition per key");
  Enable("num");
  for (const std::string_view condition : {"pk > :n", "sk > :n", "pk = :n AND sk > :n AND sk < :n"}) {
    EXPECT_EQ(query(condition), R"({"Items":[],"Count":0,"ScannedCount":0})");
  }
}

// Random conditions on random items, held against looking at every item.
class RandomRangeQuery : public RangeQuery {
 protected:
  struct Clause {
    std::string attribute;
    std::string op;
    Value first;
    Value second;
  };
  struct Keys {
    std::optional<std::string> index;
    std::vector<std::string> partition;
    std::vector<std::string> sort;
  };

  void SetUp() override {
    Enable("comp");
    for (int i = 0; i < 400; ++i) {
      Item item({{"pk", Text()}, {"sk", Text()}, {"v", Below(10)}});
      for (const std::string name : {"gpk", "gsk", "h1", "h2", "r1", "r2"}) {
        if (Below(8) != 0) item.Set(name, ValueOf(name));
      }
      std::erase_if(items_, [&](const Item& other) {
        return other.Find("pk") == item.Find("pk") && other.Find("sk") == item.Find("sk");
      });
      items_.push_back(item);
      PutItemRequest request;
      request.table_name = "comp";
      request.item = std::move(item);
      api::PutItem(context(), std::move(request), [](const auto& result) { ASSERT_TRUE(result); });
    }
  }

  int Below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string Text() {
    std::string text;
    const int length = 1 + Below(3);
    for (int i = 0; i < length; ++i) text.push_back("\0ab\x7f"[Below(4)]);
    return text;
  }
  Value ValueOf(const std::string& attribute) {
    if (attribute == "gsk" || attribute == "h2" || attribute == "r2") return {Below(9) - 4};
    return {Text()};
  }

  Clause RandomClause(const std::string& attribute) {
    static const std::vector<std::string> kOperators = {"=", "<", "<=", ">", ">=", "BETWEEN", "begins_with"};
    Clause clause{attribute, kOperators[static_cast<std::size_t>(Below(7))], ValueOf(attribute), ValueOf(attribute)};
    if (clause.op == "begins_with" && clause.first.type() == Type::kNumber) clause.op = "=";
    if (expression::Compare(clause.first.view(), clause.second.view()) > 0) std::swap(clause.first, clause.second);
    return clause;
  }

  static bool Holds(const Clause& clause, const Item& item) {
    const ValueView value = *item.Find(clause.attribute);
    if (clause.op == "begins_with") return expression::BeginsWith(value, clause.first.view());
    const auto order = expression::Compare(value, clause.first.view());
    if (clause.op == "=") return order == 0;
    if (clause.op == "<") return order < 0;
    if (clause.op == "<=") return order <= 0;
    if (clause.op == ">") return order > 0;
    return order >= 0 && (clause.op == ">=" || expression::Compare(value, clause.second.view()) <= 0);
  }

  static bool Has(const Item& item, const std::vector<std::string>& names) {
    return std::ranges::all_of(names, [&](const std::string& name) { return item.Find(name).has_value(); });
  }

  static void WriteExpression(const std::vector<Clause>& clauses, QueryRequest& request) {
    request.attributes.values.emplace();
    std::string text;
    for (std::size_t i = 0; i < clauses.size(); ++i) {
      const Clause& clause = clauses[i];
      const std::string first = ":a" + std::to_string(i);
      const std::string second = ":b" + std::to_string(i);
      request.attributes.values->emplace_back(first, clause.first);
      if (i > 0) text += " AND ";
      if (clause.op == "begins_with") {
        text += "begins_with(" + clause.attribute + ", " + first + ")";
      } else if (clause.op == "BETWEEN") {
        text += clause.attribute + " BETWEEN " + first + " AND " + second;
        request.attributes.values->emplace_back(second, clause.second);
      } else {
        text += clause.attribute + " " + clause.op + " " + first;
      }
    }
    request.key_condition_expression = text;
  }

  // What the query has to find, in order.
  [[nodiscard]] std::vector<Item> Expected(const Keys& keys, const std::vector<Clause>& clauses, bool forward) const {
    std::vector<Item> found;
    for (const Item& item : items_) {
      if (!Has(item, keys.partition) || !Has(item, keys.sort)) continue;
      if (std::ranges::all_of(clauses, [&](const Clause& clause) { return Holds(clause, item); }))
        found.push_back(item);
    }
    const bool one_partition = std::ranges::all_of(keys.partition, [&](const std::string& name) {
      return std::ranges::any_of(clauses,
                                 [&](const Clause& clause) { return clause.attribute == name && clause.op == "="; });
    });
    const bool by_sort = !one_partition && std::ranges::any_of(clauses, [&](const Clause& clause) {
      return std::ranges::find(keys.sort, clause.attribute) != keys.sort.end();
    });
    std::vector<std::string> order = by_sort ? keys.sort : keys.partition;
    std::ranges::copy(by_sort ? keys.partition : keys.sort, std::back_inserter(order));
    order.insert(order.end(), {"pk", "sk"});
    std::ranges::sort(found, [&](const Item& a, const Item& b) {
      for (const std::string& name : order) {
        const auto compared = expression::Compare(*a.Find(name), *b.Find(name));
        if (compared != 0) return compared < 0;
      }
      return false;
    });
    if (!forward) std::ranges::reverse(found);
    return found;
  }

  std::mt19937 random_{11};
  std::vector<Item> items_;
};

TEST_F(RandomRangeQuery, FindsWhatLookingAtEveryItemFinds) {
  const std::vector<Keys> all_keys = {{std::nullopt, {"pk"}, {"sk"}},
                                      {"gsi", {"gpk"}, {"gsk"}},
                                      {"inc", {"gpk"}, {}},
                                      {"multi", {"h1", "h2"}, {"r1", "r2"}}};
  std::size_t found_in_all = 0;
  for (int round = 0; round < 3000; ++round) {
    const Keys& keys = all_keys[static_cast<std::size_t>(Below(4))];
    std::vector<Clause> clauses;
    for (const auto* names : {&keys.partition, &keys.sort}) {
      for (const std::string& name : *names) {
        for (int count = Below(6) / 2; count > 0; --count) clauses.push_back(RandomClause(name));
      }
    }
    if (clauses.empty()) continue;
    std::ranges::shuffle(clauses, random_);

    QueryRequest request;
    request.table_name = "comp";
    request.index_name = keys.index;
    request.scan_index_forward = Below(2) == 0;
    if (Below(2) == 0) request.limit = 1 + Below(20);
    WriteExpression(clauses, request);
    const std::vector<Item> expected = Expected(keys, clauses, request.scan_index_forward);
    std::vector<std::pair<ValueView, ValueView>> expected_keys;
    for (const Item& item : expected) expected_keys.emplace_back(*item.Find("pk"), *item.Find("sk"));

    std::vector<Item> found;
    std::int64_t scanned = 0;
    do {
      const Result<PageResponse> page = api::Query(context(), request);
      ASSERT_TRUE(page) << *request.key_condition_expression << "\n" << page.error().message;
      std::ranges::copy(page->items, std::back_inserter(found));
      scanned += page->scanned_count;
      ASSERT_LE(page->scanned_count, request.limit.value_or(1000));
      request.exclusive_start_key = page->last_evaluated_key;
    } while (request.exclusive_start_key);
    std::vector<std::pair<ValueView, ValueView>> found_keys;
    for (const Item& item : found) found_keys.emplace_back(*item.Find("pk"), *item.Find("sk"));
    ASSERT_EQ(found_keys.size(), expected_keys.size()) << *request.key_condition_expression;
    ASSERT_TRUE(found_keys == expected_keys) << *request.key_condition_expression;
    ASSERT_EQ(scanned, static_cast<std::int64_t>(expected.size()));
    found_in_all += found.size();
  }
  EXPECT_GT(found_in_all, 10'000U);
}

// A store that counts what its snapshots read.
class CountingStore final : public storage::ForwardingStore {
 public:
  explicit CountingStore(std::atomic<std::size_t>& reads)
      : ForwardingStore(storage::MakeMemoryStore()), reads_(reads) {}

  [[nodiscard]] std::unique_ptr<storage::Reader> Snapshot() const override {
    return std::make_unique<Counting>(reads_, store().Snapshot());
  }

 private:
  class Counting final : public storage::Reader {
   public:
    Counting(std::atomic<std::size_t>& reads, std::unique_ptr<storage::Reader> reader)
        : reads_(reads), reader_(std::move(reader)) {}
    storage::Status Get(std::string_view key, base::FunctionRef<void(std::string_view)> found) const override {
      ++reads_;
      return reader_->Get(key, found);
    }
    storage::Status Scan(const storage::Range& range, const storage::ScanOptions& options,
                         base::FunctionRef<bool(std::string_view, std::string_view)> visit) const override {
      ++reads_;
      return reader_->Scan(range, options, [&](std::string_view key, std::string_view value) {
        ++reads_;
        return visit(key, value);
      });
    }

   private:
    std::atomic<std::size_t>& reads_;
    std::unique_ptr<storage::Reader> reader_;
  };

  std::atomic<std::size_t>& reads_;
};

// 100,000 items, ten to a partition of the index, in 100 kinds.
class RangeQueryCost : public testing::Test {
 protected:
  static constexpr int kItems = 100'000;

  void SetUp() override {
    using enum KeyType;
    engine_ = *engine::Engine::Open(std::make_unique<CountingStore>(reads_), {});
    context_ = std::make_unique<Context>(Context{*engine_, expressions_});
    CreateTableRequest request;
    request.table_name = "large";
    request.attribute_definitions = {{"pk", Type::kString}, {"g", Type::kString}, {"s", Type::kString}};
    request.key_schema = {{"pk", kHash}};
    IndexDefinition index;
    index.name = "gsi";
    index.key_schema = {{"g", kHash}, {"s", kRange}};
    index.projection = Projection{};
    request.global_indexes = {index};
    request.billing_mode = BillingMode::kPayPerRequest;
    ASSERT_TRUE(engine_->tables().Create(request));
    ASSERT_TRUE(engine_->tables().EnableRangeQueries("large"));
    for (int i = 0; i < kItems; ++i) {
      PutItemRequest put;
      put.table_name = "large";
      put.item = Item({{"pk", "ITEM#" + std::to_string(i)},
                       {"g", "GROUP#" + std::to_string(i / 10) + "#"},
                       {"s", "KIND#" + std::to_string(i % 100) + "#" + std::to_string(i)}});
      api::PutItem(*context_, std::move(put), [](const auto& result) { ASSERT_TRUE(result); });
    }
  }

  // How many entries are read; `count` items are found.
  std::size_t Reads(std::string condition, AttributeValues values, std::int64_t count,
                    std::optional<std::int64_t> limit = std::nullopt) {
    QueryRequest request;
    request.table_name = "large";
    request.index_name = "gsi";
    request.key_condition_expression = std::move(condition);
    request.attributes.values = std::move(values);
    request.limit = limit;
    reads_ = 0;
    const Result<PageResponse> page = api::Query(*context_, std::move(request));
    EXPECT_TRUE(page) << page.error().message;
    EXPECT_EQ(page->count, count);
    return reads_;
  }

  std::atomic<std::size_t> reads_ = 0;
  std::unique_ptr<engine::Engine> engine_;
  expression::ExpressionCache expressions_;
  std::unique_ptr<Context> context_;
};

TEST_F(RangeQueryCost, IsThatOfTheRange) {
  // An entry of the view and one of the index for each, and one seek.
  EXPECT_EQ(Reads("begins_with(g, :g)", {{":g", "GROUP#77#"}}, 10), 21U);
  EXPECT_EQ(Reads("begins_with(s, :s)", {{":s", "KIND#7#77"}}, 11), 23U);
  EXPECT_EQ(Reads("g > :g", {{":g", "GROUP#"}}, 10, 10), 21U);
}

// A jump for each group, not a step for each item.
TEST_F(RangeQueryCost, JumpsOverWhatTheSecondConditionExcludes) {
  EXPECT_LE(Reads("g BETWEEN :g AND :h AND s = :s", {{":g", "A"}, {":h", "Z"}, {":s", "KIND#7#7707"}}, 1), 3U);
  EXPECT_LE(Reads("g = :g AND s > :s AND begins_with(s, :k)", {{":g", "GROUP#77#"}, {":s", "A"}, {":k", "KIND#7"}}, 10),
            0U);
}

}  // namespace
}  // namespace taula::api
