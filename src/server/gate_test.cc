// DynamoDB's rules on requests, as Amazon's service was seen to apply them.
#include "server/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "server/raw_client.h"

namespace taula::server {
namespace {

using testing::HasSubstr;

class GateTest : public testing::Test {
 protected:
  RawResponse Send(std::string_view bytes, bool head_only = false) {
    RawClient client = running_.Connect();
    client.Send(bytes);
    auto response = client.Read(head_only);
    EXPECT_TRUE(response) << bytes;
    return response.value_or(RawResponse());
  }

  RawResponse Send(std::string_view method, std::string_view target, std::string_view fields, std::string_view body) {
    std::string bytes(method);
    bytes.append(" ").append(target).append(" HTTP/1.1\r\nHost: localhost\r\n").append(fields);
    bytes.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n").append(body);
    return Send(bytes);
  }

  const RunningServer running_;
};

constexpr std::string_view kTarget = "X-Amz-Target: DynamoDB_20120810.Echo\r\n";
constexpr std::string_view kJson = "Content-Type: application/json\r\n";

std::string Fields(std::initializer_list<std::string_view> fields) {
  std::string all;
  for (const auto field : fields) all.append(field);
  return all;
}

void ExpectUnknownPage(const RawResponse& response) {
  auto fields = response.fields;
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(response.body, "<UnknownOperationException/>\n");
  EXPECT_EQ(fields["x-amz-crc32"], "3552371480");
  EXPECT_EQ(fields["content-length"], "29");
  EXPECT_EQ(fields["x-amzn-requestid"].size(), 52U);
}

void ExpectError(const RawResponse& response, std::string_view body, std::string_view crc32) {
  auto fields = response.fields;
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(response.body, body);
  EXPECT_EQ(fields["x-amz-crc32"], crc32);
  EXPECT_EQ(fields["x-amzn-requestid"].size(), 52U);
}

constexpr std::string_view kSerialization = R"({"__type":"com.amazon.coral.service#SerializationException"})";
constexpr std::string_view kUnknown = R"({"__type":"com.amazon.coral.service#UnknownOperationException"})";

TEST_F(GateTest, IsHealthy) {
  for (const std::string_view target : {"/", "/anything?x=y"}) {
    const RawResponse response = Send("GET", target, "", "");
    auto fields = response.fields;
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, "healthy: dynamodb.us-east-1.amazonaws.com ");
    EXPECT_EQ(fields["x-amz-crc32"], "3128867991");
    EXPECT_EQ(fields["x-amzn-requestid"].size(), 52U);
  }
}

TEST_F(GateTest, AnswersHeadWithoutABody) {
  RawClient client = running_.Connect();
  client.Send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(client.Read(true)->fields["content-length"], "42");
  EXPECT_EQ(client.Read()->body.size(), 42U);
}

TEST_F(GateTest, KnowsNoOtherMethods) {
  for (const std::string_view method : {"PUT", "DELETE", "PATCH", "OPTIONS", "BREW"}) {
    ExpectUnknownPage(Send(method, "/", "", ""));
  }
}

TEST_F(GateTest, KnowsNoOtherMediaTypes) {
  ExpectUnknownPage(Send("POST", "/", "", "hi"));
  for (const std::string_view type : {"whatever", "application/x-amz-json-1.1", "application/jsonasdf"}) {
    ExpectUnknownPage(Send("POST", "/", Fields({"Content-Type: ", type, "\r\n"}), "hi"));
  }
}

TEST_F(GateTest, LooksAtTheBodyFirst) {
  for (const std::string_view type :
       {"application/json", "application/json;", "  application/json  ;   asfd", "application/json;blahblah"}) {
    const RawResponse response = Send("POST", "/", Fields({"Content-Type: ", type, "\r\n"}), "hi");
    ExpectError(response, kSerialization, "3948637019");
    EXPECT_EQ(response.fields.at("content-type"), "application/json");
  }
  const RawResponse response = Send("POST", "/", "Content-Type: application/x-amz-json-1.0;blah\r\n", "hi");
  ExpectError(response, kSerialization, "3948637019");
  EXPECT_EQ(response.fields.at("content-type"), "application/x-amz-json-1.0");
}

TEST_F(GateTest, LooksAtTheTargetSecond) {
  ExpectError(Send("POST", "/", "", ""), kUnknown, "1368724161");
  ExpectError(Send("POST", "/", kJson, "{}"), kUnknown, "1368724161");
  for (const std::string_view target : {"whatever", "DynamoDB_20120810.ListTable", "DynamoDB_20120810.", ".Echo",
                                        "DynamoDB_20120810.Echo.Echo", "Other_20120810.Echo"}) {
    ExpectError(Send("POST", "/", Fields({"X-Amz-Target: ", target, "\r\n"}), ""), kUnknown, "1368724161");
  }
}

TEST_F(GateTest, AllowsAnyOrigin) {
  const RawResponse response = Send("POST", "/", "Origin: whatever\r\n", "");
  ExpectError(response, kUnknown, "1368724161");
  EXPECT_EQ(response.fields.at("access-control-allow-origin"), "*");
  EXPECT_THAT(response.fields.at("access-control-expose-headers"), HasSubstr("x-amzn-RequestId"));
}

TEST_F(GateTest, AnswersPreflights) {
  const RawResponse plain = Send("OPTIONS", "/", "Origin: whatever\r\n", "");
  EXPECT_EQ(plain.status, 200);
  EXPECT_EQ(plain.fields.at("access-control-allow-origin"), "*");
  EXPECT_EQ(plain.fields.at("access-control-max-age"), "172800");
  EXPECT_EQ(plain.fields.at("content-length"), "0");
  EXPECT_FALSE(plain.fields.contains("access-control-allow-headers"));
  EXPECT_FALSE(plain.fields.contains("access-control-allow-methods"));

  const RawResponse full = Send("OPTIONS", "/",
                                "Origin: whatever\r\nAccess-Control-Request-Headers: a, b, c\r\n"
                                "Access-Control-Request-Method: d\r\n",
                                "");
  EXPECT_EQ(full.fields.at("access-control-allow-headers"), "a, b, c");
  EXPECT_EQ(full.fields.at("access-control-allow-methods"), "d");
}

TEST_F(GateTest, WantsCredentials) {
  constexpr std::string_view kMissing = R"({"__type":"com.amazon.coral.service#MissingAuthenticationTokenException",)"
                                        R"("message":"Request is missing Authentication Token"})";
  ExpectError(Send("POST", "/", kTarget, ""), kMissing, "2088342776");
  ExpectError(Send("POST", "/", Fields({kTarget, "Authorization: AWS4\r\n"}), ""), kMissing, "2088342776");
  ExpectError(Send("POST", "/?X-Amz-Algorith", Fields({kTarget, "Authorization: X\r\n"}), ""), kMissing, "2088342776");
  ExpectError(Send("POST", "/?X-Amz-Credential=a&X-Amz-Signature=b&X-Amz-SignedHeaders=c&X-Amz-Date=d", kTarget, ""),
              kMissing, "2088342776");
}

TEST_F(GateTest, WantsCredentialsOnce) {
  ExpectError(Send("POST", "/?X-Amz-Algorithm", Fields({kTarget, "Authorization: X\r\n"}), ""),
              R"({"__type":"com.amazon.coral.service#InvalidSignatureException","message":"Found both )"
              R"('X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."})",
              "2139606068");
}

std::string Incomplete(std::string_view message) {
  return R"({"__type":"com.amazon.coral.service#IncompleteSignatureException","message":")" + std::string(message) +
         "\"}";
}

TEST_F(GateTest, WantsACompleteAuthorizationHeader) {
  ExpectError(Send("POST", "/", Fields({kTarget, "Authorization: AWS4-\r\n"}), ""),
              Incomplete("Authorization header requires 'Credential' parameter. Authorization header requires "
                         "'Signature' parameter. Authorization header requires 'SignedHeaders' parameter. "
                         "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
                         "Authorization=AWS4-"),
              "1828866742");
  const std::string_view no_headers = "Authorization header requires 'SignedHeaders' parameter. Authorization=";
  for (const auto& [header, crc32] : {std::pair<std::string, std::string>{"AWS4- Signature=b Credential=a", "15336762"},
                                      {"AWS4- Signature=b,Credential=a", "1159703774"},
                                      {"AWS4- Signature=b, Credential=a", "164353342"}}) {
    ExpectError(Send("POST", "/", Fields({kTarget, "Date: a\r\nAuthorization: ", header, "\r\n"}), ""),
                Incomplete(std::string(no_headers) + header), crc32);
  }
}

TEST_F(GateTest, WantsACompleteQuery) {
  ExpectError(Send("POST", "/?X-Amz-Algorithm", kTarget, ""),
              Incomplete("AWS query-string parameters must include 'X-Amz-Algorithm'. AWS query-string parameters must "
                         "include 'X-Amz-Credential'. AWS query-string parameters must include 'X-Amz-Signature'. AWS "
                         "query-string parameters must include 'X-Amz-SignedHeaders'. AWS query-string parameters must "
                         "include 'X-Amz-Date'. Re-examine the query-string parameters."),
              "2900502663");
  ExpectError(Send("POST", "/?X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c&X-Amz-Date=d", kTarget, ""),
              Incomplete("AWS query-string parameters must include 'X-Amz-SignedHeaders'. Re-examine the query-string "
                         "parameters."),
              "3712057481");
}

TEST_F(GateTest, AcceptsPresignedRequests) {
  const RawResponse response =
      Send("POST", "/?X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c&X-Amz-SignedHeaders=e&X-Amz-Date=d",
           Fields({kTarget, kJson}), "{}");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.fields.at("content-type"), "application/json");
}

TEST_F(GateTest, WantsABodyInTheEnd) { ExpectError(Send(Post("Echo", "")), kSerialization, "3948637019"); }

TEST_F(GateTest, FindsFieldsInAnyCase) {
  EXPECT_EQ(
      Send("POST / HTTP/1.1\r\nhOST: a\r\nCONTENT-TYPE: application/json\r\nx-amz-TARGET: DynamoDB_20120810.Echo\r\n"
           "authorization: AWS4-HMAC-SHA256 Credential=a,SignedHeaders=b,Signature=c\r\nDATE: x\r\n"
           "content-LENGTH: 2\r\n\r\n{}")
          .body,
      "{}");
}

}  // namespace
}  // namespace taula::server
