#include "engine/policy_document.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace taula::engine {
namespace {

constexpr std::string_view kTable = "arn:aws:dynamodb:us-east-1:123456789012:table/orders";
constexpr std::string_view kStream =
    "arn:aws:dynamodb:us-east-1:123456789012:table/orders/stream/2026-10-09T00:29:04.041";

// A policy of one statement: parts that are given replace the usual ones, an empty
// one leaves it out.
struct Parts {
  std::string effect = R"("Effect":"Allow")";
  std::string principal = R"("Principal":{"AWS":"arn:aws:iam::123456789012:root"})";
  std::string action = R"("Action":"dynamodb:GetItem")";
  std::string resource = R"("Resource":"*")";
  std::string more;
};

std::string Statement(const Parts& parts) {
  std::string json;
  for (const std::string& part : {parts.effect, parts.principal, parts.action, parts.resource, parts.more}) {
    if (part.empty()) continue;
    json += json.empty() ? "" : ",";
    json += part;
  }
  return fmt::format("{{{}}}", json);
}

std::string Policy(const Parts& parts) {
  return fmt::format(R"({{"Version":"2012-10-17","Statement":[{}]}})", Statement(parts));
}

std::string ErrorOf(const std::string& json, PolicyTarget target = PolicyTarget::kTable) {
  const Result<PolicyDocument> policy = ReadPolicy(json, target);
  return policy ? "none" : policy.error().message;
}

std::string Invalid(std::string_view what) {
  return fmt::format("One or more parameter values were invalid: Invalid policy document: {}", what);
}

std::string Canonical(const std::string& json) {
  const Result<PolicyDocument> policy = ReadPolicy(json, PolicyTarget::kTable);
  EXPECT_TRUE(policy.has_value()) << (policy ? "" : policy.error().message);
  return policy ? PolicyText(*policy) : "";
}

TEST(PolicyDocument, IsWrittenInOneForm) {
  const std::string canonical = R"({"Version":"2012-10-17","Statement":[{"Sid":"Read","Effect":"Allow",)"
                                R"("Principal":{"AWS":"arn:aws:iam::123456789012:root"},"Action":"dynamodb:GetItem",)"
                                R"("Resource":"arn:aws:dynamodb:us-east-1:123456789012:table/orders",)"
                                R"("Condition":{"StringEquals":{"aws:PrincipalAccount":"123456789012"}}}]})";
  EXPECT_EQ(Canonical(canonical), canonical);
  EXPECT_EQ(Canonical(R"( {
    "Statement": { "Condition": {"StringEquals": {"aws:PrincipalAccount": ["123456789012"]}},
                   "Resource": ["arn:aws:dynamodb:us-east-1:123456789012:table/orders"],
                   "Action": ["dynamodb:GetItem"], "Effect": "allow",
                   "Principal": {"AWS": ["123456789012", "arn:aws:iam::123456789012:root"]}, "Sid": "\u0052ead" },
    "Version": "2012-10-17" })"),
            canonical);
}

TEST(PolicyDocument, KeepsListsOfSeveralAsTheyAre) {
  const std::string lists = Policy({.action = R"("NotAction":["dynamodb:Query","dynamodb:GetItem","dynamodb:getitem"])",
                                    .resource = fmt::format(R"("Resource":["{0}/index/*","{0}"])", kTable)});
  EXPECT_EQ(Canonical(lists), lists);
}

TEST(PolicyDocument, HasTheVersionOf2008WhenItGivesNone) {
  const std::string without = Canonical(fmt::format(R"({{"Statement":{}}})", Statement({})));
  EXPECT_TRUE(without.starts_with(R"({"Statement":)"));
  EXPECT_TRUE(ShownPolicyText(without).starts_with(R"({"Version":"2008-10-17","Statement":)"));
  EXPECT_EQ(ShownPolicyText(Policy({})), Policy({}));
  // To the one who puts it, it is another policy than one that says so.
  EXPECT_NE(without, Canonical(ShownPolicyText(without)));
}

TEST(PolicyDocument, OfMoreThanTwentyKilobytesIsRefusedWhiteSpaceIncluded) {
  EXPECT_EQ(ErrorOf(Policy({}).append(kPolicyBytesMax, ' ')),
            "One or more parameter values were invalid: Maximum policy size of 20480 bytes exceeded");
  EXPECT_EQ(ErrorOf(Policy({}).append(19'000, ' ')), "none");
}

TEST(PolicyDocument, ThatIsNoPolicyIsRefused) {
  for (const char* text : {"", "{not json", "{", R"({"Statement":[}]})"}) {
    EXPECT_EQ(ErrorOf(text), Invalid("This policy contains invalid Json")) << text;
  }
  EXPECT_EQ(ErrorOf("[]"), Invalid("Syntax error at position (1,1)"));
  EXPECT_EQ(ErrorOf("{}"), Invalid("Missing required field Statement"));
  EXPECT_EQ(ErrorOf(R"({"Statement":[]})"), Invalid("Could not parse the policy: Statement is empty!"));
}

TEST(PolicyDocument, TellsWhereItsSyntaxIsWrong) {
  EXPECT_EQ(ErrorOf(R"({"Version": "2012-10-17", "Statement": [{"Sid": "V09BareId", "Effect": "Allow", )"
                    R"("Principal": "123456789012", "Action": "dynamodb:GetItem", "Resource": "*"}]})"),
            Invalid("Syntax error at position (1,94)"));
  EXPECT_EQ(ErrorOf("{\n  \"Version\": \"2013-01-01\"}"), Invalid("Syntax error at position (2,14)"));
  EXPECT_EQ(ErrorOf(R"({"Statements":[]})"), Invalid("Syntax error at position (1,15)"));
  EXPECT_EQ(ErrorOf(R"({"Statement":[1]})"), Invalid("Syntax error at position (1,15)"));
  EXPECT_EQ(ErrorOf(Policy({.effect = R"("Effect":"Maybe")"})), Invalid("Syntax error at position (1,48)"));
  EXPECT_EQ(ErrorOf(Policy({.effect = R"("Effect":"Allow","Effekt":1)"})), Invalid("Syntax error at position (1,65)"));
}

TEST(PolicyDocument, NeedsAllPartsOfAStatement) {
  EXPECT_EQ(ErrorOf(Policy({.effect = ""})), Invalid("Missing required field Effect"));
  EXPECT_EQ(ErrorOf(Policy({.principal = ""})), Invalid("Missing required field Principal"));
  EXPECT_EQ(ErrorOf(Policy({.action = ""})), Invalid("Missing required field Action"));
  EXPECT_EQ(ErrorOf(Policy({.resource = ""})), Invalid("Missing required field Resource"));
}

TEST(PolicyDocument, HasEachSidOnce) {
  const std::string named = Statement({.more = R"("Sid":"one")"});
  EXPECT_EQ(ErrorOf(fmt::format(R"({{"Statement":[{0},{0}]}})", named)),
            Invalid("The Statement Ids in the policy are not unique"));
  EXPECT_EQ(ErrorOf(fmt::format(R"({{"Statement":[{0},{0}]}})", Statement({}))), "none");
}

TEST(PolicyDocument, OfATableIsAboutActionsOnTables) {
  for (const char* action : {"dynamodb:*", "dynamodb:getitem", "dynamodb:Batch*", "dynamodb:PartiQLSelect", "*"}) {
    EXPECT_EQ(ErrorOf(Policy({.action = fmt::format(R"("Action":"{}")", action)})), "none") << action;
  }
  EXPECT_EQ(ErrorOf(Policy({.action = R"("Action":["dynamodb:GetRecords","dynamodb:GetItem","s3:GetObject"])"})),
            Invalid(R"(The following action names are invalid: "dynamodb:GetRecords", "s3:GetObject")"));
}

TEST(PolicyDocument, OfAStreamIsAboutActionsOnStreams) {
  const std::string resource = fmt::format(R"("Resource":"{}")", kStream);
  EXPECT_EQ(
      ErrorOf(Policy({.action = R"("Action":["dynamodb:GetRecords","dynamodb:DescribeStream"])", .resource = resource}),
              PolicyTarget::kStream),
      "none");
  EXPECT_EQ(ErrorOf(Policy({.resource = resource}), PolicyTarget::kStream),
            Invalid(R"(The following action names are invalid: "dynamodb:GetItem")"));
}

TEST(PolicyDocument, IsAboutResourcesOfItsKind) {
  const auto about = [](std::string_view resource) {
    return Policy({.resource = fmt::format(R"("Resource":"{}")", resource)});
  };
  EXPECT_EQ(ErrorOf(about(kTable)), "none");
  EXPECT_EQ(ErrorOf(about("arn:aws:dynamodb:us-east-1:123456789012:table/another/index/*")), "none");
  EXPECT_EQ(ErrorOf(about(kStream)),
            Invalid(fmt::format(
                R"(The relative-id "table/orders/stream/2026-10-09T00:29:04.041" is invalid for ARN "{}")", kStream)));
  EXPECT_EQ(ErrorOf(about("orders")), Invalid("Resource orders must be in ARN format or \"*\"."));
  const std::string of_table =
      Policy({.action = R"("Action":"dynamodb:GetRecords")", .resource = fmt::format(R"("Resource":"{}")", kTable)});
  EXPECT_EQ(ErrorOf(of_table, PolicyTarget::kStream),
            Invalid(fmt::format(R"(The relative-id "table/orders" is invalid for ARN "{}")", kTable)));
}

TEST(PolicyDocument, NamesPrincipalsThatThereCanBe) {
  for (const char* principal : {"arn:aws:iam::123456789012:role/app", "arn:aws:sts::123456789012:assumed-role/app/x"}) {
    EXPECT_EQ(ErrorOf(Policy({.principal = fmt::format(R"("Principal":{{"AWS":"{}"}})", principal)})), "none");
  }
  EXPECT_EQ(ErrorOf(Policy({.principal = R"("Principal":{"Service":"replication.dynamodb.amazonaws.com"})"})), "none");
  for (const char* principal : {"nobody", "arn:aws:iam::12:root", "arn:aws:iam::123456789012:thing"}) {
    EXPECT_EQ(ErrorOf(Policy({.principal = fmt::format(R"("Principal":{{"AWS":"{}"}})", principal)})),
              "One or more parameter values were invalid: Invalid principal in policy document.")
        << principal;
  }
}

TEST(PolicyDocument, DoesNotOpenTheTableToEverybody) {
  const std::string unbounded =
      "Resource-based policy grants unbounded access in one or more elements. Please revise the policy to ensure "
      "least-privilege form of access";
  for (const char* principal : {R"("Principal":"*")", R"("Principal":{"AWS":"*"})"}) {
    EXPECT_EQ(ErrorOf(Policy({.principal = principal})), unbounded);
    EXPECT_EQ(ErrorOf(Policy({.effect = R"("Effect":"Deny")", .principal = principal})), "none");
    EXPECT_EQ(ErrorOf(Policy(
                  {.principal = principal, .more = R"("Condition":{"StringEquals":{"aws:SourceVpce":"vpce-1"}})"})),
              "none");
    EXPECT_EQ(ErrorOf(Policy({.principal = principal, .more = R"("Condition":{"Bool":{"aws:SecureTransport":true}})"})),
              unbounded);
  }
}

TEST(PolicyDocument, LocksOutWhenNobodyMayChangeIt) {
  const auto locks = [](Parts parts) {
    if (parts.effect == Parts().effect) parts.effect = R"("Effect":"Deny")";
    return LocksOut(*ReadPolicy(Policy(parts), PolicyTarget::kTable), "123456789012", kTable);
  };
  const std::string everyone = R"("Principal":"*")";
  EXPECT_TRUE(locks({.principal = everyone, .action = R"("Action":"dynamodb:PutResourcePolicy")"}));
  EXPECT_TRUE(locks({.action = R"("Action":"dynamodb:*ResourcePolicy")"}));
  EXPECT_TRUE(locks({.principal = everyone, .action = R"("NotAction":"dynamodb:GetItem")"}));
  EXPECT_FALSE(locks({.principal = everyone, .action = R"("Action":"dynamodb:DeleteResourcePolicy")"}));
  EXPECT_FALSE(locks({.principal = everyone,
                      .action = R"("Action":"dynamodb:*")",
                      .resource = R"("Resource":"arn:aws:dynamodb:us-east-1:123456789012:table/another")"}));
  EXPECT_FALSE(locks({.principal = R"("Principal":{"AWS":"arn:aws:iam::123456789012:role/app"})",
                      .action = R"("Action":"dynamodb:*")"}));
  EXPECT_FALSE(locks({.effect = R"("Effect":"Allow" )", .action = R"("Action":"dynamodb:*")"}));
}

TEST(PolicyPattern, HasStarsAndQuestionMarks) {
  EXPECT_TRUE(MatchesPolicyPattern("", ""));
  EXPECT_TRUE(MatchesPolicyPattern("*", ""));
  EXPECT_TRUE(MatchesPolicyPattern("table/*/index/?", "table/orders/index/a"));
  EXPECT_TRUE(MatchesPolicyPattern("*a*b", "xaxbab"));
  EXPECT_FALSE(MatchesPolicyPattern("*a*b", "xaxba"));
  EXPECT_FALSE(MatchesPolicyPattern("?", ""));
  EXPECT_FALSE(MatchesPolicyPattern("table", "Table"));
  EXPECT_TRUE(MatchesPolicyAction("DynamoDB:get*", "dynamodb:GetItem"));
}

}  // namespace
}  // namespace taula::engine
