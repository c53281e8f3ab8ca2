// What get, query, scan and batch-get answer.
#include "design/run_testing.h"

namespace taula::design {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr std::string_view kDesign = R"yaml(
design: kefir
tables:
  main:
    name: kefir-{stage}
    key: { partition: PK, sort: SK }
    indexes:
      GSI1: { partition: GSI1PK, sort: GSI1SK }
      Due:  { partition: DuePK, sort: DueSK, projection: keys }
    extensions: [range-queries]
  counts:
    name: counts
    key: { partition: name, sort: { name: at, type: number } }
entities:
  Batch:
    table: main
    key: { PK: "USER#{userId}", SK: "BATCH#{batchId}" }
    indexes:
      GSI1: { GSI1PK: "BATCH#{batchId}", GSI1SK: "STATUS#{status}#{createdAt}" }
    attributes:
      userId: string
      batchId: string
      name: { type: string, required: true }
      status: { type: enum, values: [active, ready], default: active }
      createdAt: { type: timestamp, set: on-create }
      secretNote: { type: string, secret: true }
  Tasting:
    table: main
    key: { PK: "USER#{userId}", SK: "BATCH#{batchId}#TASTING#{n:03}" }
    attributes:
      userId: { type: string, stored: false }
      batchId: string
      n: integer
      words: string
  Event:
    table: main
    key: { PK: "BATCH#{batchId}", SK: "EVENT#{createdAt}#{eventId}" }
    type: { kind: EVENT }
    attributes:
      batchId: { type: string, stored: false }
      eventId: string
      note: string
      createdAt: { type: timestamp }
  Reminder:
    table: main
    key: { PK: "BATCH#{batchId}", SK: "REMINDER#{reminderId}" }
    indexes:
      GSI1: { GSI1PK: "USER#{userId}", GSI1SK: "DUE#{dueAt}" }
      Due:  { DuePK: "USER#{userId}", DueSK: "DUE#{dueAt:date}" }
    soft-delete: deletedAt
    map: data
    attributes:
      batchId: string
      reminderId: string
      userId: string
      dueAt: { type: timestamp, required: true }
      message: string
      deletedAt: timestamp
  Count:
    table: counts
    key: { name: "{name}", at: "{at}" }
    attributes:
      name: string
      at: integer
      value: number
operations:
  batch:        { get: Batch }
  batchName:    { get: Batch, returns: [batchId, name] }
  listBatches:  { query: Batch, by: [userId] }
  batchById:    { query: Batch, index: GSI1, by: [batchId], one: true }
  byStatus:     { query: Batch, index: GSI1, by: [status] }
  userBatchesByStatus: { query: Batch, by: [userId, status] }
  named:        { query: Batch, by: [userId], filter: "begins_with(name, {prefix})" }
  tastings:     { query: Tasting, by: [userId, batchId] }
  tastingsFrom: { query: Tasting, by: [userId, batchId], where: { n: { from: "{first}" } } }
  events:       { query: Event, by: [batchId] }
  newest:       { query: Event, by: [batchId], order: descending, limit: 2 }
  eventsAfter:  { query: Event, by: [batchId], where: { createdAt: { after: "{t}" } } }
  eventsFrom:   { query: Event, by: [batchId], where: { createdAt: { from: "{t}" } } }
  eventsBefore: { query: Event, by: [batchId], where: { createdAt: { before: "{t}" } } }
  eventsUntil:  { query: Event, by: [batchId], where: { createdAt: { until: "{t}" } } }
  eventsBetween: { query: Event, by: [batchId], where: { createdAt: { between: ["{a}", "{b}"] } } }
  eventsInside: { query: Event, by: [batchId], where: { createdAt: { after: "{a}", before: "{b}" } } }
  eventsOfDay:  { query: Event, by: [batchId], where: { createdAt: { starts-with: "{day}" } } }
  timeline:     { query: [Event, Reminder], by: [batchId] }
  reminder:     { get: Reminder }
  reminders:    { query: Reminder, by: [batchId] }
  allReminders: { query: Reminder, by: [batchId], deleted: include }
  upcoming:
    query: Reminder
    index: GSI1
    by: [userId]
    where: { dueAt: { between: ["{from}", "{until}"] } }
    parameters:
      from:  { type: timestamp, default: "{now}" }
      until: { type: timestamp, default: "{now+7d}" }
  due:          { query: Reminder, index: GSI1, where: { dueAt: { before: "{now}" } } }
  deleteReminder: { delete: Reminder }
  scanBatches:  { scan: Batch, filter: "status = {status}" }
  someBatches:  { batch-get: Batch }
  putBatch:     { put: Batch }
  putTasting:   { put: Tasting }
  putEvent:     { put: Event }
  putReminder:  { put: Reminder }
  putCount:     { put: Count }
  countsAfter:  { query: Count, by: [name], where: { at: { after: "{at}" } } }
  countsInside: { query: Count, by: [name], where: { at: { after: "{a}", until: "{b}" } } }
)yaml";

class ReadTest : public RunTest {
 protected:
  ReadTest() : RunTest(kDesign) {}

  void PutBatch(const std::string& user, const std::string& id, const std::string& more = "") {
    ASSERT_THAT(Call("putBatch",
                     R"({"userId":")" + user + R"(","batchId":")" + id + R"(","name":"N )" + id + "\"" + more + "}"),
                StartsWith("{"));
  }
  void PutEvent(const std::string& id, const std::string& at) {
    ASSERT_THAT(Call("putEvent", R"({"batchId":"b","eventId":")" + id + R"(","createdAt":")" + at + "\"}"),
                StartsWith("{"));
  }
  void PutEvents() {
    PutEvent("e1", "2024-01-01T00:00:00.000Z");
    PutEvent("e2", "2024-01-02T00:00:00.000Z");
    PutEvent("e3", "2024-01-02T00:00:00.000Z");
    PutEvent("e4", "2024-01-02T00:00:00.001Z");
    PutEvent("e5", "2024-01-03T00:00:00.000Z");
    ASSERT_THAT(
        Call("putReminder", R"({"batchId":"b","reminderId":"r","userId":"u","dueAt":"2024-11-03T00:00:00.000Z"})"),
        StartsWith("{"));
  }

  // The values of one attribute in an answer, in order.
  static std::vector<std::string> Pluck(const std::string& answer, const std::string& name) {
    std::vector<std::string> values;
    const std::string key = "\"" + name + "\":\"";
    for (std::size_t at = answer.find(key); at != std::string::npos; at = answer.find(key, at + 1)) {
      const std::size_t begin = at + key.size();
      values.push_back(answer.substr(begin, answer.find('"', begin) - begin));
    }
    return values;
  }
  using Names = std::vector<std::string>;
};

INSTANTIATE_TEST_SUITE_P(OnAServer, ReadTest, ::testing::Bool(), KindOfServer);

TEST_P(ReadTest, GetAnswersTheEntityWithoutKeysAndSecrets) {
  PutBatch("u", "a", R"(,"secretNote":"hush")");
  EXPECT_EQ(Call("batch", R"({"userId":"u","batchId":"a"})"),
            R"({"item":{"userId":"u","batchId":"a","name":"N a","status":"active",)"
            R"("createdAt":"2024-11-02T15:30:00.000Z"}})");
  EXPECT_EQ(Call("batchName", R"({"userId":"u","batchId":"a"})"), R"({"item":{"batchId":"a","name":"N a"}})");
  EXPECT_EQ(Call("batch", R"({"userId":"u","batchId":"b"})"),
            "NotFound: There is no Batch with this userId and batchId.");
}

TEST_P(ReadTest, ParametersAreChecked) {
  EXPECT_EQ(Call("batch", R"({"userId":"u"})"), "InvalidParameter: batchId is missing.");
  EXPECT_EQ(failed_parameter_, "batchId");
  EXPECT_EQ(Call("batch", R"({"userId":"u","batchID":"x"})"),
            "InvalidParameter: 'batchID' is unknown. Did you mean 'batchId'?");
  EXPECT_EQ(Call("batch", R"({"userId":5,"batchId":"x"})"), "InvalidParameter: userId is not text.");
  EXPECT_THAT(Call("byStatus", R"({"status":"lost"})"), StartsWith("InvalidParameter: status must be"));
  EXPECT_THAT(Call("listBatches", R"({"userId":"u","limit":0})"), StartsWith("InvalidParameter: limit"));
  EXPECT_THAT(Call("listBatches", R"({"userId":"u","limit":1001})"), StartsWith("InvalidParameter: limit"));
  EXPECT_EQ(Call("batch", "[]"), "InvalidParameter: What was sent is not a JSON object.");
  EXPECT_EQ(Call("batch", R"({"userId":"u","batchId":"x"} {})"), "InvalidParameter: What was sent is not JSON.");
  EXPECT_EQ(Call("bacth"), "UnknownOperation: The design 'kefir' has no operation 'bacth'. Did you mean 'batch'?");
  // What would be another key is no value: it would read somebody else's items.
  EXPECT_THAT(Call("tastings", R"({"userId":"u","batchId":"a#TASTING#1"})"),
              StartsWith("InvalidParameter: batchId may not hold"));
  EXPECT_THAT(Call("listBatches", R"({"userId":""})"), StartsWith("InvalidParameter: userId"));
}

TEST_P(ReadTest, ATableThatIsNotThereIsNamed) {
  const Runner elsewhere(design_, "prod", *backend_, clock_);
  const auto answer = elsewhere.Run("listBatches", R"({"userId":"u"})");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, FailureCode::kRefused);
  EXPECT_THAT(answer.error().message, StartsWith("The server does not have table "));
  EXPECT_THAT(answer.error().message, HasSubstr(design_.TableName(design_.tables.front(), "prod")));
}

TEST_P(ReadTest, QueryLeavesOutOtherEntitiesInItsRange) {
  PutBatch("u", "a");
  PutBatch("u", "ab");
  PutBatch("v", "c");
  Call("putTasting", R"({"userId":"u","batchId":"a","n":1,"words":"sour"})");
  Call("putTasting", R"({"userId":"u","batchId":"a","n":12,"words":"sweet"})");
  Call("putTasting", R"({"userId":"u","batchId":"ab","n":2,"words":"flat"})");
  EXPECT_EQ(Pluck(Call("listBatches", R"({"userId":"u"})"), "batchId"), (Names{"a", "ab"}));
  EXPECT_EQ(Pluck(Call("tastings", R"({"userId":"u","batchId":"a"})"), "words"), (Names{"sour", "sweet"}));
  EXPECT_THAT(Call("tastings", R"({"userId":"u","batchId":"a"})"),
              HasSubstr(R"({"userId":"u","batchId":"a","n":1,"words":"sour"})"));
  EXPECT_EQ(Pluck(Call("tastingsFrom", R"({"userId":"u","batchId":"a","first":2})"), "words"), (Names{"sweet"}));
  EXPECT_EQ(Call("listBatches", R"({"userId":"nobody"})"), R"({"items":[]})");
}

TEST_P(ReadTest, OneAnswersOneItem) {
  PutBatch("u", "a");
  EXPECT_THAT(Call("batchById", R"({"batchId":"a"})"), StartsWith(R"({"item":{"userId":"u")"));
  EXPECT_EQ(Call("batchById", R"({"batchId":"b"})"), "NotFound: There is no Batch with this batchId.");
}

TEST_P(ReadTest, RangesAreExactAtTheirEnds) {
  PutEvents();
  const auto events = [&](const std::string& operation, const std::string& bounds) {
    return Pluck(Call(operation, R"({"batchId":"b",)" + bounds + "}"), "eventId");
  };
  const std::string at = R"("t":"2024-01-02T00:00:00.000Z")";
  EXPECT_EQ(events("eventsAfter", at), (Names{"e4", "e5"}));
  EXPECT_EQ(events("eventsFrom", at), (Names{"e2", "e3", "e4", "e5"}));
  EXPECT_EQ(events("eventsBefore", at), (Names{"e1"}));
  EXPECT_EQ(events("eventsUntil", at), (Names{"e1", "e2", "e3"}));
  EXPECT_EQ(events("eventsBetween", R"("a":"2024-01-02T00:00:00.000Z","b":"2024-01-02T00:00:00.001Z")"),
            (Names{"e2", "e3", "e4"}));
  EXPECT_EQ(events("eventsInside", R"("a":"2024-01-02T00:00:00.000Z","b":"2024-01-03T00:00:00.000Z")"), (Names{"e4"}));
  EXPECT_EQ(events("eventsInside", R"("a":"2024-01-03T00:00:00.000Z","b":"2024-01-01T00:00:00.000Z")"), Names{});
  EXPECT_EQ(events("eventsBetween", R"("a":"2024-01-03T00:00:00.000Z","b":"2024-01-01T00:00:00.000Z")"), Names{});
  EXPECT_EQ(events("eventsOfDay", R"("day":"2024-01-02")"), (Names{"e2", "e3", "e4"}));
  EXPECT_EQ(Pluck(Call("newest", R"({"batchId":"b"})"), "eventId"), (Names{"e5", "e4"}));
}

TEST_P(ReadTest, RangesOfNumbersAreExactToo) {
  for (int at = 8; at < 13; ++at) {
    const std::string number = std::to_string(at);
    ASSERT_THAT(Call("putCount", R"({"name":"c","at":)" + number + R"(,"value":1})"), StartsWith("{"));
  }
  const auto count = [&](const std::string& answer) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = answer.find("\"at\":", at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count(Call("countsAfter", R"({"name":"c","at":9})")), 3);
  EXPECT_EQ(count(Call("countsInside", R"({"name":"c","a":9,"b":11})")), 2);
}

TEST_P(ReadTest, SeveralEntitiesSayWhichTheyAre) {
  PutEvents();
  const std::string answer = Call("timeline", R"({"batchId":"b"})");
  EXPECT_EQ(Pluck(answer, "$entity"), (Names{"Event", "Event", "Event", "Event", "Event", "Reminder"}));
  EXPECT_THAT(answer, Not(HasSubstr("kind")));
  EXPECT_THAT(answer, HasSubstr(R"({"$entity":"Event","batchId":"b","eventId":"e1")"));
}

TEST_P(ReadTest, WhatIsDeletedSoftlyIsLeftOutUnlessAskedFor) {
  PutEvents();
  const std::string key = R"({"batchId":"b","reminderId":"r"})";
  EXPECT_THAT(Call("deleteReminder", key), HasSubstr(R"("deletedAt":"2024-11-02T15:30:00.000Z")"));
  EXPECT_THAT(Call("reminder", key), StartsWith("NotFound"));
  EXPECT_EQ(Call("reminders", R"({"batchId":"b"})"), R"({"items":[]})");
  EXPECT_EQ(Pluck(Call("allReminders", R"({"batchId":"b"})"), "reminderId"), (Names{"r"}));
  EXPECT_THAT(Call("deleteReminder", key), StartsWith("NotFound"));
}

TEST_P(ReadTest, TimesWithoutParametersAreFromTheClock) {
  for (const auto& [id, due] : std::vector<std::pair<std::string, std::string>>{{"past", "2024-11-02T15:29:59.999Z"},
                                                                                {"now", "2024-11-02T15:30:00.000Z"},
                                                                                {"end", "2024-11-09T15:30:00.000Z"},
                                                                                {"late", "2024-11-09T15:30:00.001Z"}}) {
    Call("putReminder", R"({"batchId":"b","userId":"u","reminderId":")" + id + R"(","dueAt":")" + due + "\"}");
  }
  EXPECT_EQ(Pluck(Call("upcoming", R"({"userId":"u"})"), "reminderId"), (Names{"now", "end"}));
  EXPECT_EQ(Pluck(Call("upcoming", R"({"userId":"u","until":"2024-12-01T00:00:00.000Z"})"), "reminderId"),
            (Names{"now", "end", "late"}));
  EXPECT_EQ(Pluck(Call("due"), "reminderId"), (Names{"past"}));
}

TEST_P(ReadTest, ARangeOverPartitionsReadsOnlyItsEntity) {
  PutBatch("u", "a");
  PutBatch("v", "b", R"(,"status":"ready")");
  PutBatch("w", "c");
  EXPECT_EQ(Pluck(Call("byStatus", R"({"status":"active"})"), "batchId"), (Names{"a", "c"}));
}

TEST_P(ReadTest, WhatNoKeyServesIsFiltered) {
  PutBatch("u", "a");
  PutBatch("u", "b", R"(,"status":"ready")");
  EXPECT_EQ(Pluck(Call("userBatchesByStatus", R"({"userId":"u","status":"ready"})"), "batchId"), (Names{"b"}));
  EXPECT_EQ(Pluck(Call("named", R"({"userId":"u","prefix":"N a"})"), "batchId"), (Names{"a"}));
  EXPECT_EQ(Pluck(Call("scanBatches", R"({"status":"active"})"), "batchId"), (Names{"a"}));
}

TEST_P(ReadTest, PagesAreFullThoughAFilterDropsMost) {
  for (int i = 0; i < 60; ++i) {
    const std::string id = (i < 10 ? "0" : "") + std::to_string(i);
    PutBatch("u", id, i % 10 == 0 ? R"(,"status":"ready")" : "");
  }
  Names all;
  std::string next;
  int pages = 0;
  do {
    const std::string more = next.empty() ? "" : R"(,"next":")" + next + "\"";
    const std::string page = Call("userBatchesByStatus", R"({"userId":"u","status":"ready","limit":2)" + more + "}");
    const Names ids = Pluck(page, "batchId");
    if (ids.empty()) break;
    EXPECT_THAT(ids, SizeIs(2));
    all.insert(all.end(), ids.begin(), ids.end());
    const Names nexts = Pluck(page, "next");
    next = nexts.empty() ? "" : nexts.front();
    ASSERT_LT(++pages, 10);
  } while (!next.empty());
  EXPECT_EQ(all, (Names{"00", "10", "20", "30", "40", "50"}));
}

TEST_P(ReadTest, PagesOfAnIndexGoOnWhereTheyEnded) {
  for (const char* const id : {"a", "b", "c", "d", "e"}) PutBatch("u", id);
  std::string page = Call("byStatus", R"({"status":"active","limit":2})");
  EXPECT_EQ(Pluck(page, "batchId"), (Names{"a", "b"}));
  page = Call("byStatus", R"({"status":"active","limit":2,"next":")" + Pluck(page, "next").at(0) + "\"}");
  EXPECT_EQ(Pluck(page, "batchId"), (Names{"c", "d"}));
  page = Call("byStatus", R"({"status":"active","limit":2,"next":")" + Pluck(page, "next").at(0) + "\"}");
  EXPECT_EQ(Pluck(page, "batchId"), (Names{"e"}));
  EXPECT_EQ(Pluck(page, "next"), Names{});
}

TEST_P(ReadTest, AForeignNextIsRefused) {
  for (const char* const user : {"u", "v"}) {
    for (const char* const id : {"a", "b", "c"}) PutBatch(user, id);
  }
  const std::string next = Pluck(Call("listBatches", R"({"userId":"u","limit":1})"), "next").at(0);
  EXPECT_THAT(next, Not(::testing::ContainsRegex("[+/=]")));
  EXPECT_THAT(Call("listBatches", R"({"userId":"v","limit":1,"next":")" + next + "\"}"),
              StartsWith("InvalidParameter: next"));
  EXPECT_THAT(Call("events", R"({"batchId":"a","next":")" + next + "\"}"), StartsWith("InvalidParameter: next"));
  for (const std::string& wrong : Names{"nonsense", "", "!", next.substr(1), next.substr(0, next.size() - 4)}) {
    EXPECT_THAT(Call("listBatches", R"({"userId":"u","next":")" + wrong + "\"}"), StartsWith("InvalidParameter: next"))
        << wrong;
    EXPECT_EQ(failed_parameter_, "next");
  }
}

TEST_P(ReadTest, AllPagesSeeTheTimeOfTheFirst) {
  for (int i = 0; i < 4; ++i) {
    const std::string id = std::to_string(i);
    Call("putReminder",
         R"({"batchId":"b","userId":"u","reminderId":")" + id + R"(","dueAt":"2024-11-02T15:30:0)" + id + ".000Z\"}");
  }
  const std::string first = Call("upcoming", R"({"userId":"u","limit":2})");
  EXPECT_EQ(Pluck(first, "reminderId"), (Names{"0", "1"}));
  clock_.Advance(60'000);
  EXPECT_EQ(
      Pluck(Call("upcoming", R"({"userId":"u","limit":2,"next":")" + Pluck(first, "next").at(0) + "\"}"), "reminderId"),
      (Names{"2", "3"}));
}

TEST_P(ReadTest, BatchGetAnswersInTheOrderOfItsKeys) {
  for (int i = 0; i < 120; ++i) PutBatch("u", std::to_string(i));
  std::string keys;
  for (int i = 119; i >= 0; --i) keys += R"({"userId":"u","batchId":")" + std::to_string(i) + "\"},";
  const std::string answer = Call(
      "someBatches", R"({"keys":[{"userId":"u","batchId":"absent"},)" + keys + R"({"userId":"u","batchId":"7"}]})");
  const Names ids = Pluck(answer, "batchId");
  ASSERT_THAT(ids, SizeIs(121));
  EXPECT_EQ(ids.front(), "119");
  EXPECT_EQ(ids.back(), "7");
  EXPECT_THAT(Call("someBatches", R"({"keys":[{"userId":"u"}]})"), StartsWith("InvalidParameter: keys[0]"));
}

TEST_P(ReadTest, ReadsAreTriedAgainWhenTheServerIsBusy) {
  PutBatch("u", "a");
  int failures = 2;
  backend_->before = [&](std::string_view) -> std::optional<Error> {
    if (failures-- > 0) return Error{ErrorCode::kThrottlingException, "slow down", {}, {}};
    return std::nullopt;
  };
  EXPECT_THAT(Call("batch", R"({"userId":"u","batchId":"a"})"), StartsWith(R"({"item")"));
  EXPECT_THAT(backend_->calls, SizeIs(3));
  backend_->before = [](std::string_view) { return Error{ErrorCode::kServiceUnavailable, "Cannot connect.", {}, {}}; };
  EXPECT_EQ(Call("batch", R"({"userId":"u","batchId":"a"})"), "Unavailable: Cannot connect.");
}

}  // namespace
}  // namespace taula::design
