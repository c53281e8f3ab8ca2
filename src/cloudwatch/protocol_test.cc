// The three protocols: what they read and write, and what they refuse.
#include "cloudwatch/protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cloudwatch/cbor_protocol.h"
#include "cloudwatch/input.h"
#include "cloudwatch/json_protocol.h"
#include "cloudwatch/query_protocol.h"

namespace taula::cloudwatch {
namespace {

using ::testing::HasSubstr;

// GCC 12 sees dangers in what it can see through.
template <typename T>
[[gnu::noinline]] Document Of(T value) {
  return {std::move(value)};
}

HttpRequest Form(std::string_view body) {
  return {.target = "", .path = "/", .media_type = "application/x-www-form-urlencoded", .body = body};
}

// ---- Which protocol

TEST(Protocol, IsToldByTargetPathOrForm) {
  EXPECT_EQ(ProtocolOf({.target = "GraniteServiceVersion20100801.ListMetrics", .path = "/"}), Protocol::kJson);
  EXPECT_EQ(ProtocolOf({.path = "/service/GraniteServiceVersion20100801/operation/ListMetrics"}), Protocol::kCbor);
  EXPECT_EQ(ProtocolOf(Form("Action=ListMetrics&Version=2010-08-01")), Protocol::kQuery);
}

TEST(Protocol, LeavesOtherServicesAlone) {
  EXPECT_EQ(ProtocolOf({.target = "DynamoDB_20120810.ListTables", .path = "/"}), std::nullopt);
  EXPECT_EQ(ProtocolOf({.target = "GraniteServiceVersion20100801X.ListMetrics", .path = "/"}), std::nullopt);
  EXPECT_EQ(ProtocolOf(Form("Action=GetCallerIdentity&Version=2011-06-15")), std::nullopt);
  EXPECT_EQ(ProtocolOf({.path = "/", .media_type = "text/plain", .body = "Version=2010-08-01"}), std::nullopt);
  EXPECT_EQ(ProtocolOf({.path = "/service/Other/operation/ListMetrics"}), std::nullopt);
}

// ---- Query

TEST(QueryProtocol, BuildsListsAndStructuresFromNames) {
  const auto call = ReadForm(
      "Action=GetMetricData&Version=2010-08-01&MetricDataQueries.member.2.Id=b&MetricDataQueries.member.10.Id=c"
      "&MetricDataQueries.member.1.Id=a&MetricDataQueries.member.1.MetricStat.Period=60&Label=a+b%26%C3%BC");
  ASSERT_TRUE(call);
  EXPECT_EQ(call->operation, "GetMetricData");
  std::optional<Fault> fault;
  const Input input(call->input, fault);
  const auto queries = input.Structs("MetricDataQueries");
  ASSERT_EQ(queries.size(), 3U);
  EXPECT_EQ(queries[0].Text("Id"), "a");
  EXPECT_EQ(queries[0].Struct("MetricStat")->Integer("Period"), 60);
  EXPECT_EQ(queries[1].Text("Id"), "b");
  EXPECT_EQ(queries[2].Text("Id"), "c");
  EXPECT_EQ(input.Text("Label"), "a b&ü");
  EXPECT_FALSE(fault);
}

TEST(QueryProtocol, AnEmptyValueIsAnEmptyList) {
  const auto call = ReadForm("Action=ListMetrics&Dimensions=");
  ASSERT_TRUE(call);
  std::optional<Fault> fault;
  EXPECT_TRUE(Input(call->input, fault).Structs("Dimensions").empty());
  EXPECT_FALSE(fault);
}

TEST(QueryProtocol, RefusesWhatIsNoForm) {
  for (const std::string_view body : {"Action=a&b=%", "Action=a&b=%4", "Action=a&b=%zz", "Action=a&b=%ff"}) {
    const auto call = ReadForm(body);
    ASSERT_FALSE(call) << body;
    EXPECT_EQ(call.error().code, "MalformedQueryString");
  }
  EXPECT_EQ(ReadForm("Version=2010-08-01").error().code, "MissingAction");
  std::string deep = "Action=a&a";
  for (int i = 0; i < 100; ++i) deep.append(".a");
  EXPECT_FALSE(ReadForm(deep + "=1"));
}

TEST(QueryProtocol, WritesXml) {
  Document::Map map;
  map.entries.push_back({"p90", Of(1.5)});
  Document::List list;
  list.push_back(Of(std::string("<&\x01\">")));
  list.push_back(Of(Document::Time{1'790'000'040'000}));
  Document::Struct members;
  members.push_back({"List", Of(std::move(list))});
  members.push_back({"Map", Of(std::move(map))});
  const HttpAnswer answer = WriteXml("ListMetrics", {std::move(members)});
  EXPECT_EQ(answer.content_type, "text/xml");
  EXPECT_THAT(answer.body, HasSubstr("<ListMetricsResponse xmlns=\"http://monitoring.amazonaws.com/doc/2010-08-01/\">"
                                     "<ListMetricsResult><List><member>&lt;&amp;?&quot;&gt;</member>"
                                     "<member>2026-09-21T14:14:00Z</member></List>"
                                     "<Map><entry><key>p90</key><value>1.5</value></entry></Map></ListMetricsResult>"
                                     "<ResponseMetadata><RequestId>"));
}

TEST(QueryProtocol, WritesFaultsAsXml) {
  const HttpAnswer answer = WriteFault(Protocol::kQuery, Missing("Period").error());
  EXPECT_EQ(answer.status, 400);
  EXPECT_THAT(answer.body, HasSubstr("<Error><Type>Sender</Type><Code>MissingParameter</Code>"
                                     "<Message>The parameter Period is required.</Message></Error>"));
}

// ---- JSON

TEST(JsonProtocol, ReadsTypes) {
  const auto document = ReadJson(R"({"a":"x","b":2,"c":1.5e9,"d":true,"e":null,"f":[{"g":1}]})");
  ASSERT_TRUE(document);
  std::optional<Fault> fault;
  const Input input(*document, fault);
  EXPECT_EQ(input.Text("a"), "x");
  EXPECT_EQ(input.Integer("b"), 2);
  EXPECT_EQ(input.Time("c"), 1'500'000'000'000);
  EXPECT_EQ(input.Boolean("d"), true);
  EXPECT_EQ(input.Text("e"), std::nullopt);
  EXPECT_EQ(input.Structs("f")[0].Integer("g"), 1);
  EXPECT_FALSE(fault);
  EXPECT_EQ(input.Integer("a"), std::nullopt);
  EXPECT_EQ(fault->type, "com.amazon.coral.service#SerializationException");
}

TEST(JsonProtocol, RefusesWhatIsNoObject) {
  for (const std::string_view body : {"[]", "1", "{", "{\"a\":1}x"}) EXPECT_FALSE(ReadJson(body)) << body;
  EXPECT_FALSE(ReadJson(R"({"a":)" + std::string(40, '[') + std::string(40, ']') + "}"));
}

TEST(JsonProtocol, TellsTheNameOfAFaultInBothLanguages) {
  const HttpAnswer answer = WriteFault(Protocol::kJson, InvalidCombination("no").error());
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.body,
            R"({"__type":"com.amazonaws.cloudwatch#InvalidParameterCombinationException","message":"no"})");
  EXPECT_THAT(answer.fields, HasSubstr("x-amzn-query-error: InvalidParameterCombination;Sender\r\n"));
}

// ---- CBOR

std::string Bytes(std::initializer_list<int> bytes) {
  std::string out;
  for (const int byte : bytes) out.push_back(static_cast<char>(byte));
  return out;
}

TEST(CborProtocol, ReadsWhatItWrites) {
  Document::Struct inner;
  inner.push_back({"text", Of(std::string(300, 'x'))});
  Document::List list;
  for (int i = 0; i < 30; ++i) list.push_back(Of(std::int64_t{1} << i));
  Document::Struct members;
  members.push_back({"struct", Of(std::move(inner))});
  members.push_back({"list", Of(std::move(list))});
  members.push_back({"time", Of(Document::Time{1'790'000'040'500})});
  members.push_back({"negative", Of(std::int64_t{-500})});
  members.push_back({"double", Of(0.1)});
  members.push_back({"bool", Of(true)});
  const HttpAnswer written = WriteCbor({std::move(members)});
  EXPECT_EQ(written.content_type, "application/cbor");
  EXPECT_THAT(written.fields, HasSubstr("smithy-protocol: rpc-v2-cbor\r\n"));
  const auto read = ReadCbor(written.body);
  ASSERT_TRUE(read);
  std::optional<Fault> fault;
  const Input input(*read, fault);
  EXPECT_EQ(input.Struct("struct")->Text("text"), std::string(300, 'x'));
  EXPECT_EQ(read->Find("list")->As<Document::List>()->size(), 30U);
  EXPECT_EQ(*(*read->Find("list")->As<Document::List>())[29].As<std::int64_t>(), std::int64_t{1} << 29);
  EXPECT_EQ(input.Time("time"), 1'790'000'040'500);
  EXPECT_EQ(input.Integer("negative"), -500);
  EXPECT_EQ(*read->Find("double")->As<double>(), 0.1);
  EXPECT_EQ(input.Boolean("bool"), true);
  EXPECT_FALSE(fault);
}

TEST(CborProtocol, ReadsIndefiniteLengths) {
  // {_ "a": [_ 1, (_ "b", "c")]}
  const auto read = ReadCbor(Bytes({0xbf, 0x61, 'a', 0x9f, 0x01, 0x7f, 0x61, 'b', 0x61, 'c', 0xff, 0xff, 0xff}));
  ASSERT_TRUE(read);
  const auto& list = *read->Find("a")->As<Document::List>();
  EXPECT_EQ(*list[0].As<std::int64_t>(), 1);
  EXPECT_EQ(*list[1].As<std::string>(), "bc");
}

TEST(CborProtocol, ReadsNumbersOfAllSizes) {
  const auto number = [](std::initializer_list<int> bytes) {
    const auto read = ReadCbor(Bytes({0xa1, 0x61, 'a'}) + Bytes(bytes));
    return read ? *read->Find("a")->As<double>() : -1;
  };
  EXPECT_EQ(number({0xf9, 0x3e, 0x00}), 1.5);
  EXPECT_EQ(number({0xf9, 0xc4, 0x00}), -4);
  EXPECT_EQ(number({0xf9, 0x00, 0x01}), 5.960464477539063e-8);
  EXPECT_EQ(number({0xfa, 0x47, 0xc3, 0x50, 0x00}), 100'000);
  EXPECT_EQ(number({0xfb, 0x3f, 0xf1, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a}), 1.1);
}

TEST(CborProtocol, RefusesEveryBeginningOfAWholeBody) {
  Document::Struct members;
  members.push_back({"text", Of(std::string(40, 'x'))});
  members.push_back({"time", Of(Document::Time{1000})});
  const std::string whole = WriteCbor({std::move(members)}).body;
  for (std::size_t size = 1; size < whole.size(); ++size) EXPECT_FALSE(ReadCbor(whole.substr(0, size))) << size;
  EXPECT_FALSE(ReadCbor(whole + "x"));
}

TEST(CborProtocol, RefusesWhatItDoesNotNeed) {
  EXPECT_FALSE(ReadCbor(Bytes({0x80})));                                                  // a list
  EXPECT_FALSE(ReadCbor(Bytes({0xa1, 0x01, 0x01})));                                      // a name that is a number
  EXPECT_FALSE(ReadCbor(Bytes({0xa1, 0x61, 'a', 0x41, 0x00})));                           // bytes
  EXPECT_FALSE(ReadCbor(Bytes({0xa1, 0x61, 'a', 0xc0, 0x61, 'x'})));                      // a time as text
  EXPECT_FALSE(ReadCbor(Bytes({0xa1, 0x61, 'a', 0x1c})));                                 // a reserved length
  EXPECT_FALSE(ReadCbor(Bytes({0xa1, 0x61, 'a', 0xff})));                                 // an end of nothing
  EXPECT_FALSE(ReadCbor(Bytes({0xa1, 0x61, 0xff, 0x01})));                                // no UTF-8
  EXPECT_FALSE(ReadCbor(Bytes({0xbb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})));  // too many to be true
  EXPECT_FALSE(ReadCbor(Bytes({0xa1, 0x61, 'a'}) + std::string(50, '\x81') + Bytes({0x01})));  // too deep
}

// ---- Times

TEST(Input, ReadsTimesAsPeopleWriteThem) {
  constexpr std::int64_t kTime = 1'770'768'000'000;
  EXPECT_EQ(ParseTime("2026-02-11T00:00:00Z"), kTime);
  EXPECT_EQ(ParseTime("2026-02-11T00:00:00.5Z"), kTime + 500);
  EXPECT_EQ(ParseTime("2026-02-11T00:00:00.123456Z"), kTime + 123);
  EXPECT_EQ(ParseTime("2026-02-11T01:00:00+01:00"), kTime);
  EXPECT_EQ(ParseTime("2026-02-10T18:30:00-0530"), kTime);
  for (const std::string_view wrong :
       {"", "2026-02-11", "2026-02-11T00:00:00", "2026-02-30T00:00:00Z", "2026-02-11T00:00:00.Z",
        "2026-02-11T00:00:00+1:00", "2026-02-11T00:00:00ZZ", "1770768000"}) {
    EXPECT_EQ(ParseTime(wrong), std::nullopt) << wrong;
  }
}

}  // namespace
}  // namespace taula::cloudwatch
