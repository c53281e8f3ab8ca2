#include "design/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace taula::design {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kKefir = R"(design: kefir
description: Batches of kefir.
stage: test
defaults:
  map: data
  attributes:
    createdAt: { type: timestamp, set: on-create, top: true }
    updatedAt: { type: timestamp, set: on-write }
tables:
  main:
    name: kefir-app-{stage}-table
    key: { partition: PK, sort: SK }
    indexes:
      GSI1: { partition: GSI1PK, sort: GSI1SK, projection: [name, status] }
      byEmail: { partition: email, sort: SK }
    billing: { read: 5, write: 6 }
    ttl: expiresAt
    stream: new-and-old-images
    encryption: aws-managed
    tags: { team: dairy }
    extensions: [range-queries]
entities:
  Batch:
    key: { PK: "USER#{userId}", SK: "BATCH#{batchId}" }
    indexes:
      GSI1: { GSI1PK: "BATCH#{batchId}", GSI1SK: "STATUS#{status}#{createdAt}" }
    attributes:
      batchId: { type: ulid, generated: true, prefix: b_ }
      userId: { type: string, stored: false }
      name: { type: string, required: true, max-length: 100 }
      status: { type: enum, values: [active, ready, 5], default: active }
      volume: { type: number, min: 0.5, default: 1.5 }
      tags: { type: string-set, default: [a, b] }
      updatedAt: null
    soft-delete: deletedAt
  User:
    map: ""
    type: { entityType: USER }
    key: { PK: "USER#{userId}", SK: PROFILE }
    attributes:
      userId: string
      email: { type: email, required: true }
      hash: bcrypt
      address: { type: map, fields: { city: string } }
    unique: [email, [userId, email]]
    growth: { attribute: address, items: 3 }
operations:
  listBatches: { query: Batch, by: [userId] }
  batchById: { query: Batch, index: GSI1, by: batchId, one: true }
  everything: { query: [Batch, User], by: [userId], order: descending, limit: 50 }
  due:
    query: Batch
    index: GSI1
    where: { createdAt: { from: "{now}", until: "{until}" } }
    parameters: { until: { type: timestamp, default: "{now+7d}" } }
  archive: { update: Batch, set: { status: ready, volume: 5, name: "{title}", "data.name": "5" }, add: { volume: "-{n}" } }
  login: { verify: User, index: byEmail, by: [email], with: password }
  order:
    transaction:
      - { create: Batch, for: item in items, set: { tags: ["{item.tag}", x], name: "{{a}}" } }
      - { check: User, if: attribute_exists(email) }
    let: { batchId: "{ulid}" }
    read: { user: { get: User } }
)";

Design Kefir() {
  std::string text(kKefir);
  text.replace(text.find("      updatedAt: null\n"), 0, "      deletedAt: timestamp\n");
  Loaded loaded = LoadDesign(text, "kefir.yaml");
  for (const Diagnostic& diagnostic : loaded.diagnostics) {
    ADD_FAILURE() << diagnostic.place.line << ':' << diagnostic.place.column << ' ' << diagnostic.what;
  }
  return std::move(loaded.design).value_or(Design{});
}

// "line:column code: what" of all.
std::string Complaint(std::string_view text) {
  const Loaded loaded = LoadDesign(text, "x.yaml");
  EXPECT_FALSE(loaded.design.has_value());
  std::string all;
  for (const Diagnostic& diagnostic : loaded.diagnostics) {
    if (!all.empty()) all += "\n";
    all += std::to_string(diagnostic.place.line) + ":" + std::to_string(diagnostic.place.column) + " " +
           diagnostic.code + ": " + diagnostic.what;
    if (!diagnostic.fix.empty()) all += " | " + diagnostic.fix;
  }
  return all;
}

std::string Replaced(std::string_view from, std::string_view to) {
  std::string text(kKefir);
  text.replace(text.find("      updatedAt: null\n"), 0, "      deletedAt: timestamp\n");
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(LoadDesign, ReadsTables) {
  const Design design = Kefir();
  EXPECT_EQ(design.name, "kefir");
  EXPECT_EQ(design.stage, "test");
  const Table& table = design.tables.at(0);
  EXPECT_EQ(table.id, "main");
  EXPECT_EQ(design.TableName(table, ""), "kefir-app-test-table");
  EXPECT_EQ(table.partition.name, "PK");
  EXPECT_EQ(table.sort->name, "SK");
  EXPECT_EQ(table.provisioned->write, 6);
  EXPECT_EQ(table.ttl, "expiresAt");
  EXPECT_EQ(table.stream, StreamView::kNewAndOldImages);
  EXPECT_EQ(table.encryption->keeper, Encryption::Keeper::kAwsManaged);
  EXPECT_TRUE(table.range_queries);
  const Index& index = table.indexes.at(0);
  EXPECT_EQ(index.projection, Projection::kInclude);
  EXPECT_THAT(index.included, ElementsAre("name", "status"));
  EXPECT_EQ(index.provisioned->read, 5);
  EXPECT_EQ(table.indexes.at(1).projection, Projection::kAll);
}

TEST(LoadDesign, ReadsTheKeyThatATableIsEncryptedWith) {
  const auto encryption = [](const std::string& said) {
    const Loaded loaded = LoadDesign(Replaced("    encryption: aws-managed\n", said), "x.yaml");
    return loaded.design.value_or(Design{.tables = {Table{}}}).tables.at(0).encryption;
  };
  for (const char* key : {"arn:aws:kms:eu-west-1:123456789012:key/abc", "alias/dairy", "mrk-0123456789abcdef",
                          "0a1b2c3d-0000-4000-8000-0123456789AB"}) {
    const std::optional<Encryption> own = encryption(std::string("    encryption: ") + key + "\n");
    ASSERT_TRUE(own.has_value()) << key;
    EXPECT_EQ(own->keeper, Encryption::Keeper::kOwnKey);
    EXPECT_EQ(own->key, key);
  }
  EXPECT_EQ(encryption("    encryption: aws-owned\n")->keeper, Encryption::Keeper::kAwsOwned);
  EXPECT_FALSE(encryption("").has_value());
  EXPECT_THAT(Complaint(Replaced("encryption: aws-managed", "encryption: true")),
              HasSubstr("wrong-type: 'encryption' is aws-owned, aws-managed, or a KMS key"));
}

TEST(LoadDesign, KeepsPlaces) {
  const Design design = Kefir();
  EXPECT_EQ(design.tables.at(0).place, (Place{.line = 10, .column = 3}));
  EXPECT_EQ(design.FindEntity("Batch")->place, (Place{.line = 23, .column = 3}));
  EXPECT_EQ(design.FindEntity("Batch")->key.sort_place, (Place{.line = 24, .column = 37}));
  EXPECT_EQ(design.FindEntity("Batch")->Find("name")->place, (Place{.line = 30, .column = 7}));
}

TEST(LoadDesign, MakesKeyAttributesRequiredAndImmutable) {
  const Design design = Kefir();
  const Entity& batch = *design.FindEntity("Batch");
  EXPECT_TRUE(batch.Find("batchId")->required);
  EXPECT_TRUE(batch.Find("batchId")->immutable);
  EXPECT_FALSE(batch.Find("status")->required);
  EXPECT_FALSE(batch.Find("status")->immutable);
}

TEST(LoadDesign, MergesDefaults) {
  const Design design = Kefir();
  const Entity& batch = *design.FindEntity("Batch");
  EXPECT_EQ(batch.Find("name")->map, "data");
  EXPECT_EQ(batch.Find("createdAt")->map, "");
  EXPECT_EQ(batch.Find("userId")->map, "") << "is only in the key";
  EXPECT_EQ(batch.Find("updatedAt"), nullptr);
  const Entity& user = *design.FindEntity("User");
  EXPECT_EQ(user.map, "");
  EXPECT_EQ(user.Find("updatedAt")->map, "");
  EXPECT_EQ(user.Find("updatedAt")->set, SetWhen::kOnWrite);
}

TEST(LoadDesign, TakesDefaultsByTheAttributesType) {
  const Entity batch = *Kefir().FindEntity("Batch");
  EXPECT_EQ(batch.Find("status")->default_value, Value("active"));
  EXPECT_THAT(batch.Find("status")->values, ElementsAre(Value("active"), Value("ready"), Value(5)));
  EXPECT_EQ(batch.Find("volume")->default_value, Value::Number("1.5"));
  EXPECT_EQ(batch.Find("tags")->default_value, Value::StringSet({"a", "b"}));
}

TEST(LoadDesign, PutsAnEntityIntoIndexesOfItsOwnAttributes) {
  const Design design = Kefir();
  EXPECT_EQ(design.FindEntity("Batch")->FindIndex("byEmail"), nullptr);
  const IndexKey* key = design.FindEntity("User")->FindIndex("byEmail");
  ASSERT_NE(key, nullptr);
  EXPECT_FALSE(key->partition.has_value());
  EXPECT_FALSE(key->sort.has_value());
}

TEST(LoadDesign, ReadsUniqueRulesAndSecrets) {
  const Design design = Kefir();
  const Entity& user = *design.FindEntity("User");
  EXPECT_THAT(user.unique, ElementsAre(ElementsAre("email"), ElementsAre("userId", "email")));
  EXPECT_TRUE(user.Find("hash")->secret);
  EXPECT_EQ(user.type.at(0).second, Value("USER"));
  EXPECT_EQ(design.FindOperation("login")->secret, "hash");
}

TEST(LoadDesign, ReadsQueries) {
  const Design design = Kefir();
  EXPECT_THAT(design.FindOperation("batchById")->by, ElementsAre("batchId"));
  EXPECT_THAT(design.FindOperation("everything")->entities, ElementsAre("Batch", "User"));
  EXPECT_TRUE(design.FindOperation("everything")->descending);
  EXPECT_EQ(design.FindOperation("everything")->limit, 50);
}

TEST(LoadDesign, JoinsFromAndUntil) {
  const Design design = Kefir();
  const Operation& due = *design.FindOperation("due");
  ASSERT_EQ(due.where.size(), 1U);
  EXPECT_EQ(due.where[0].comparison, Comparison::kBetween);
  EXPECT_EQ(due.where[0].low.text.text(), "{now}");
  EXPECT_EQ(due.where[0].high.text.text(), "{until}");
  EXPECT_EQ(due.parameter_defaults.at(0).second.kind, Term::Kind::kText);
}

TEST(LoadDesign, TellsLiteralsFromTemplates) {
  const Design design = Kefir();
  const Operation& archive = *design.FindOperation("archive");
  ASSERT_EQ(archive.set.size(), 4U);
  EXPECT_EQ(archive.set[0].value.literal, Value("ready"));
  EXPECT_EQ(archive.set[1].value.literal, Value(5));
  EXPECT_EQ(archive.set[2].value.kind, Term::Kind::kText);
  EXPECT_EQ(archive.set[3].value.literal, Value("5")) << "is in quotes";
  EXPECT_EQ(archive.add.at(0).value.kind, Term::Kind::kText);
}

TEST(LoadDesign, ReadsTransactions) {
  const Design design = Kefir();
  const Operation& order = *design.FindOperation("order");
  ASSERT_EQ(order.steps.size(), 2U);
  EXPECT_EQ(order.steps[0].for_each_variable, "item");
  EXPECT_EQ(order.steps[0].for_each_list, "items");
  EXPECT_EQ(order.steps[0].set[0].value.kind, Term::Kind::kList);
  EXPECT_EQ(order.steps[0].set[1].value.literal, Value("{a}"));
  EXPECT_EQ(order.steps[1].kind, OperationKind::kCheck);
  EXPECT_EQ(order.steps[1].condition->text, "attribute_exists(email)");
  EXPECT_EQ(order.let.at(0).first, "batchId");
  EXPECT_EQ(order.read.at(0).operation.at(0).kind, OperationKind::kGet);
}

TEST(LoadDesign, RefusesUnknownMembersAndSuggestsOthers) {
  EXPECT_EQ(Complaint(Replaced("sort: SK }", "srot: SK }")),
            "12:27 unknown-member: a table's key has no member 'srot' | Did you mean 'sort'?\n"
            "24:33 unknown-member: 'key' of entity 'Batch' has no member 'SK' | Did you mean 'PK'?\n"
            "40:33 unknown-member: 'key' of entity 'User' has no member 'SK' | Did you mean 'PK'?");
}

TEST(LoadDesign, RefusesMissingMembers) {
  EXPECT_EQ(Complaint("design: x\ntables: { a: { name: x-y } }\n"),
            "1:1 missing-member: a design needs 'entities'\n"
            "2:14 missing-member: table 'a' needs 'key'");
}

TEST(LoadDesign, RefusesDuplicates) {
  EXPECT_THAT(Complaint(Replaced("      userId: string\n", "      userId: string\n      userId: string\n")),
              HasSubstr("duplicate-member: 'attributes' of entity 'User' has 'userId' twice"));
}

TEST(LoadDesign, RefusesNamesThatReferToNothing) {
  EXPECT_THAT(Complaint(Replaced("query: Batch, by: [userId]", "query: Bathc, by: [userId]")),
              HasSubstr("unknown-name: the design has no entity 'Bathc' | Did you mean 'Batch'?"));
  EXPECT_THAT(Complaint(Replaced("index: GSI1, by: batchId", "index: GSI2, by: batchId")),
              HasSubstr("unknown-name: table 'main' has no index 'GSI2' | Did you mean 'GSI1'?"));
  EXPECT_THAT(Complaint(Replaced("by: batchId", "by: batchid")), HasSubstr("Did you mean 'batchId'?"));
  EXPECT_THAT(Complaint(Replaced("BATCH#{batchId}\" }", "BATCH#{batchNo}\" }")),
              HasSubstr("unknown-reference: {batchNo} is no attribute of entity 'Batch' | Did you mean 'batchId'?"));
  EXPECT_THAT(Complaint(Replaced("soft-delete: deletedAt", "soft-delete: removedAt")),
              HasSubstr("unknown-name: entity 'Batch' has no attribute 'removedAt'"));
}

TEST(LoadDesign, RefusesWrongTypes) {
  EXPECT_THAT(Complaint(Replaced("max-length: 100", "max-length: many")),
              HasSubstr("wrong-type: 'max-length' must be"));
  EXPECT_THAT(Complaint(Replaced("one: true", "one: 'true'")), HasSubstr("wrong-type: 'one' must be true or false"));
  EXPECT_THAT(Complaint(Replaced("default: active", "default: activ")),
              HasSubstr("wrong-type: the default of 'status'"));
  EXPECT_THAT(Complaint(Replaced("type: ulid, generated", "type: string, generated")),
              HasSubstr("misplaced-member: 'generated' is a member of ulid and uuid attributes"));
  EXPECT_THAT(Complaint(Replaced("\"USER#{userId}\", SK: PROFILE", "{userId}, SK: PROFILE")),
              HasSubstr("A text that begins with a brace needs quotes."));
}

TEST(LoadDesign, RefusesMembersOfOtherKindsOfOperation) {
  EXPECT_THAT(Complaint(Replaced("update: Batch, set:", "update: Batch, where: {}, set:")),
              HasSubstr("misplaced-member: 'where' means nothing in an operation of kind 'update'"));
  EXPECT_THAT(Complaint(Replaced("query: Batch, by: [userId]", "by: [userId]")),
              HasSubstr("wrong-kind: operation 'listBatches' does not say what it does"));
  EXPECT_THAT(Complaint(Replaced("query: Batch, by: [userId]", "query: Batch, scan: Batch")),
              HasSubstr("wrong-kind: operation 'listBatches' is both 'query' and 'scan'"));
}

TEST(LoadDesign, RefusesControlCharactersWhereTheyAre) {
  EXPECT_THAT(Complaint(std::string_view("design: x\nstage: a\0b\n", 21)),
              HasSubstr("2:9 yaml-syntax: here is a control"));
  EXPECT_THAT(Complaint("design: \x1b[31mx\n"), HasSubstr("1:9 yaml-syntax"));
}

TEST(LoadDesign, RefusesWhatIsEmpty) {
  EXPECT_THAT(Complaint("design: x\ntables:\n  main:\nentities: { A: { key: { PK: A } } }\n"),
              HasSubstr("3:3 wrong-type: table 'main' must be a map, and this is empty"));
  EXPECT_THAT(Complaint("design: x\ntables: {}\nentities: { A: { key: { PK: A } } }\n"),
              HasSubstr("2:9 missing-member: 'tables' is empty"));
  EXPECT_THAT(Complaint("design: x\ntables: { main: { name: abc, key: { partition: PK } } }\nentities: {}\n"),
              HasSubstr("3:11 missing-member: 'entities' is empty"));
  EXPECT_THAT(Complaint(Replaced("query: Batch, by: [userId]", "")),
              HasSubstr("wrong-kind: operation 'listBatches' does not say what it does"));
}

TEST(LoadDesign, SaysWhereYamlIsBroken) {
  EXPECT_THAT(Complaint("design: [a\ntables: {}\n"), HasSubstr("yaml-syntax: this is not YAML"));
  EXPECT_THAT(Complaint("a: &x 1\nb: *x\n"), HasSubstr("2:4 yaml-syntax: a design cannot use aliases"));
  EXPECT_THAT(Complaint("design: x\n---\ndesign: y\n"), HasSubstr("3:1 yaml-syntax: a design is one YAML document"));
  EXPECT_THAT(Complaint("design: \xff\n"), HasSubstr("not UTF-8"));
  EXPECT_THAT(Complaint(""), HasSubstr("wrong-type: a design must be a map"));
}

TEST(LoadDesign, RefusesWhatIsTooLargeOrTooDeep) {
  EXPECT_THAT(Complaint(std::string(kKefir) + "#" + std::string(1 << 20, 'x')), HasSubstr("file-too-large"));
  EXPECT_THAT(Complaint("design: " + std::string(100, '[') + std::string(100, ']')), HasSubstr("nested-too-deep"));
  EXPECT_THAT(Complaint("design: " + std::string(500'000, '[')), HasSubstr("nested-too-deep"));
}

TEST(LoadDesignFile, SaysThatAFileCannotBeRead) {
  for (const std::string path : {"/nowhere/design.yaml", "/tmp"}) {
    const Loaded loaded = LoadDesignFile(path);
    EXPECT_FALSE(loaded.design.has_value());
    ASSERT_EQ(loaded.diagnostics.size(), 1U);
    EXPECT_EQ(loaded.diagnostics[0].code, "unreadable-file");
    EXPECT_THAT(loaded.diagnostics[0].what, HasSubstr(path));
    EXPECT_EQ(loaded.diagnostics[0].place.line, 0);
  }
}

TEST(LoadDesignFile, ReadsTheDesignsOfTheFiveSystems) {
  for (const std::string name : {"notifications", "goals", "store", "blog", "kefir"}) {
    const Loaded loaded = LoadDesignFile(TAULA_SOURCE_DIR "/designs/" + name + "/design.yaml");
    for (const Diagnostic& diagnostic : loaded.diagnostics) {
      ADD_FAILURE() << name << ':' << diagnostic.place.line << ':' << diagnostic.place.column << ' ' << diagnostic.what;
    }
    ASSERT_TRUE(loaded.design.has_value());
    EXPECT_EQ(loaded.design->name, name);
  }
}

TEST(LoadDesignFile, ReadsAFile) {
  const std::string path = ::testing::TempDir() + "/load_design_file_test.yaml";
  std::ofstream(path) << Replaced("", "");
  const Loaded loaded = LoadDesignFile(path);
  EXPECT_THAT(loaded.diagnostics, IsEmpty());
  ASSERT_TRUE(loaded.design.has_value());
  EXPECT_EQ(loaded.design->path, path);
}

}  // namespace
}  // namespace taula::design
