// "vanilla" is of the test suite that Amazon publishes; the others were made
// with botocore, Amazon's own signer for Python.
#include "client/sigv4.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace taula::client {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

constexpr std::string_view kDate = "20150830T123600Z";

Credentials Example(std::string token = "") {
  return {"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", std::move(token)};
}

std::string SignedGet(std::string_view path, std::string_view query, Fields fields = {}) {
  fields.emplace_back("Host", "example.amazonaws.com");
  fields.emplace_back("X-Amz-Date", kDate);
  return Authorization({.method = "GET", .path = path, .query = query, .fields = fields, .body = ""}, Example(),
                       {.region = "us-east-1", .service = "service"}, kDate);
}

TEST(Sigv4, SignsAVanillaRequest) {
  EXPECT_EQ(SignedGet("/", ""),
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
            "SignedHeaders=host;x-amz-date, "
            "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
}

TEST(Sigv4, SortsTheQuery) {
  EXPECT_THAT(SignedGet("/", "Param2=value2&Param1=value1&Param1=value0&flag"),
              EndsWith("Signature=c85acdf8e86bdd7cafdcbf5c7e736fd81d9fc6a45b41c205c544aea71cf0e440"));
}

TEST(Sigv4, NormalizesAndEncodesThePath) {
  EXPECT_THAT(SignedGet("/a/./b//../%20c d~/", ""),
              EndsWith("Signature=ba8e0b97de5997d8d3f421b1edc5308c912ec8b264656ed0d6a39388b8f23a68"));
}

TEST(Sigv4, SqueezesSpacesInFields) {
  EXPECT_THAT(SignedGet("/", "", {{"My-Header1", "  a   b   c "}, {"My-Header2", "\"a   b   c\""}}),
              EndsWith("SignedHeaders=host;my-header1;my-header2;x-amz-date, "
                       "Signature=07c5e7e57b80b59aa26a367ce3d444469bc2db738d90ce9331dcd15132b937a7"));
}

TEST(Sigv4, SignsTheBodyOfADynamoDbRequest) {
  const Fields fields = {{"Host", "localhost:8000"},
                         {"Content-Type", "application/x-amz-json-1.0"},
                         {"X-Amz-Target", "DynamoDB_20120810.GetItem"},
                         {"X-Amz-Date", std::string(kDate)}};
  EXPECT_EQ(Authorization({.fields = fields, .body = R"({"TableName":"t","Key":{"id":{"S":"é"}}})"}, Example(),
                          {.region = "us-east-1"}, kDate),
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/dynamodb/aws4_request, "
            "SignedHeaders=content-type;host;x-amz-date;x-amz-target, "
            "Signature=73cb00d5de22ae0cf73895e9e4a5a4d056cd87b681a07b9596695ce4efa72abc");
}

TEST(Sigv4, SignsTheTokenOfTemporaryCredentials) {
  const Fields fields = {
      {"Host", "dynamodb.eu-west-1.amazonaws.com"},
      {"Content-Type", "application/x-amz-json-1.0"},
      {"X-Amz-Target", "DynamoDB_20120810.ListTables"},
      {"X-Amz-Date", std::string(kDate)},
      {"X-Amz-Security-Token",
       "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuw"
       "thAx7mSEI/qkPpKPi/kMcGd"}};
  EXPECT_THAT(Authorization({.fields = fields, .body = "{}"}, Example(), {.region = "us-east-1"}, kDate),
              EndsWith("Signature=130ab45bf08b547828e56b32174b87a4d70f835e7e89eda545fac395dacdfcdf"));
}

TEST(Sigv4, JoinsFieldsOfOneNameInTheirOrder) {
  const Fields fields = {{"My-Header", "value4"}, {"my-header", "value1"}, {"Host", "a"}};
  EXPECT_THAT(CanonicalRequest({.fields = fields, .body = ""}), HasSubstr("\nhost:a\nmy-header:value4,value1\n\n"));
}

TEST(Sigv4, WritesDatesAsAmazonDoes) {
  EXPECT_EQ(AmzDate(1440938160123), kDate);
  EXPECT_EQ(AmzDate(0), "19700101T000000Z");
}

}  // namespace
}  // namespace taula::client
