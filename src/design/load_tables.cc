#include <fmt/core.h>

#include <array>

#include "design/load_parts.h"
#include "design/members.h"

namespace taula::design {
namespace {

constexpr std::array<std::pair<std::string_view, Type>, 3> kKeyTypes = {
    {{"string", Type::kString}, {"number", Type::kNumber}, {"binary", Type::kBinary}}};
constexpr std::array<std::pair<std::string_view, StreamView>, 4> kStreamViews = {
    {{"keys-only", StreamView::kKeysOnly},
     {"new-image", StreamView::kNewImage},
     {"old-image", StreamView::kOldImage},
     {"new-and-old-images", StreamView::kNewAndOldImages}}};
constexpr std::int64_t kThroughputMax = 40'000;

// "PK", or { name: PK, type: number }.
KeyPart ReadKeyPart(const YamlNode& node, std::string_view what, Complaints& complaints) {
  KeyPart part{.place = node.place};
  if (node.kind == YamlNode::Kind::kScalar) {
    part.name = node.text;
  } else {
    const MapReader reader(node, fmt::format("'{}'", what), kKeyPartMembers, complaints);
    part.name = reader.RequireText("name");
    part.type = reader.Choice<Type>("type", kKeyTypes, Type::kString);
  }
  return part;
}

void ReadKey(const MapReader& reader, KeyPart& partition, std::optional<KeyPart>& sort, Complaints& complaints) {
  if (const YamlNode* node = reader.Require("partition")) partition = ReadKeyPart(*node, "partition", complaints);
  if (const YamlNode* node = reader.Find("sort")) sort = ReadKeyPart(*node, "sort", complaints);
  if (sort && sort->name == partition.name) {
    complaints.Error("bad-name", sort->place,
                     fmt::format("'{}' is both the partition key and the sort key", sort->name));
  }
}

std::optional<Throughput> ReadBilling(const MapReader& owner, Complaints& complaints) {
  const YamlNode* node = owner.Find("billing");
  if (node == nullptr) return std::nullopt;
  if (node->kind == YamlNode::Kind::kScalar && node->text == "on-demand") return std::nullopt;
  if (node->kind != YamlNode::Kind::kMap) {
    complaints.Error("wrong-type", node->place, "'billing' is on-demand or { read: 5, write: 5 }");
    return std::nullopt;
  }
  const MapReader reader(*node, "'billing'", kBillingMembers, complaints);
  Throughput throughput;
  if (reader.Require("read") != nullptr) throughput.read = reader.Integer("read", 1, kThroughputMax).value_or(1);
  if (reader.Require("write") != nullptr) throughput.write = reader.Integer("write", 1, kThroughputMax).value_or(1);
  return throughput;
}

void ReadProjection(const MapReader& reader, Index& index) {
  const YamlNode* node = reader.Find("projection");
  if (node == nullptr) return;
  if (node->kind == YamlNode::Kind::kList) {
    index.projection = Projection::kInclude;
    for (PlacedName& name : reader.Names("projection")) index.included.push_back(std::move(name.text));
    return;
  }
  constexpr std::array<std::pair<std::string_view, Projection>, 2> kProjections = {
      {{"all", Projection::kAll}, {"keys", Projection::kKeys}}};
  index.projection = reader.Choice<Projection>("projection", kProjections, Projection::kAll);
}

Index ReadIndex(const YamlMember& member, const Table& table, Complaints& complaints) {
  Index index{.name = member.name, .place = member.place};
  const MapReader reader(member.value, fmt::format("index '{}'", index.name), kIndexMembers, complaints);
  index.local = reader.Boolean("local");
  if (index.local && reader.Find("partition") == nullptr) {
    // A local index has the table's partition key, said or not.
    index.partition = table.partition;
    if (const YamlNode* node = reader.Require("sort")) index.sort = ReadKeyPart(*node, "sort", complaints);
  } else {
    ReadKey(reader, index.partition, index.sort, complaints);
  }
  ReadProjection(reader, index);
  index.provisioned = reader.Find("billing") == nullptr ? table.provisioned : ReadBilling(reader, complaints);
  if (const YamlMember* billing = reader.FindMember("billing"); billing != nullptr && !table.provisioned) {
    complaints.Error("misplaced-member", billing->place,
                     "an index has a billing of its own only where its table's is provisioned");
  }
  return index;
}

// A KMS key as SSESpecification takes it.
bool IsKey(std::string_view text) {
  constexpr std::string_view kHexadecimal = "0123456789abcdefABCDEF-";
  constexpr std::size_t kUuidLength = 36;
  if (text.starts_with("arn:aws:kms:") || text.starts_with("alias/") || text.starts_with("mrk-")) return true;
  return text.size() == kUuidLength && text.find_first_not_of(kHexadecimal) == std::string_view::npos;
}

std::optional<Encryption> ReadEncryption(const MapReader& table, Complaints& complaints) {
  const YamlNode* node = table.Find("encryption");
  if (node == nullptr) return std::nullopt;
  using enum Encryption::Keeper;
  if (node->kind == YamlNode::Kind::kScalar) {
    if (node->text == "aws-owned") return Encryption{.keeper = kAwsOwned};
    if (node->text == "aws-managed") return Encryption{.keeper = kAwsManaged};
    if (IsKey(node->text)) return Encryption{.keeper = kOwnKey, .key = node->text};
  }
  complaints.Error("wrong-type", node->place,
                   "'encryption' is aws-owned, aws-managed, or a KMS key: its ARN, its id or alias/NAME");
  return std::nullopt;
}

void ReadTags(const MapReader& table, Table& out, Complaints& complaints) {
  const YamlNode* node = table.Find("tags");
  if (node == nullptr) return;
  const MapReader tags(*node, "'tags'", complaints);
  for (const YamlMember* tag : tags.members()) out.tags.emplace_back(tag->name, tags.Text(tag->name));
}

void ReadExtensions(const MapReader& reader, Table& table, Complaints& complaints) {
  constexpr std::array<std::string_view, 1> kExtensions = {"range-queries"};
  for (const PlacedName& name : reader.Names("extensions")) {
    if (name.text == kExtensions[0]) {
      table.range_queries = true;
    } else {
      complaints.UnknownName(name.place, reader.owner(), "extension", name.text, kExtensions);
    }
  }
}

Template ReadTableName(const MapReader& reader, Complaints& complaints) {
  const YamlNode* node = reader.Require("name");
  if (node == nullptr) return {};
  Template name = ReadTemplate(*node, "a table's name", complaints);
  for (const Template::Part& part : name.parts()) {
    if (!part.is_reference() || part.reference == "stage") continue;
    complaints.Error("unknown-reference", node->place,
                     fmt::format("a table's name has only {{stage}} to refer to, not {{{}}}", part.reference));
  }
  return name;
}

Table ReadTable(const YamlMember& member, Complaints& complaints) {
  Table table{.id = member.name, .place = member.place};
  const MapReader reader(member.value, fmt::format("table '{}'", table.id), kTableMembers, complaints);
  table.name = ReadTableName(reader, complaints);
  if (const YamlNode* name = reader.Find("name")) table.name_place = name->place;
  if (const YamlNode* key = reader.Require("key")) {
    ReadKey(MapReader(*key, "a table's key", kKeyMembers, complaints), table.partition, table.sort, complaints);
  }
  table.provisioned = ReadBilling(reader, complaints);
  if (const YamlNode* indexes = reader.Find("indexes")) {
    const MapReader each(*indexes, "'indexes'", complaints);
    for (const YamlMember* index : each.members()) table.indexes.push_back(ReadIndex(*index, table, complaints));
  }
  table.ttl = reader.Text("ttl");
  if (const YamlNode* ttl = reader.Find("ttl")) table.ttl_place = ttl->place;
  if (reader.Find("stream") != nullptr) {
    table.stream = reader.Choice<StreamView>("stream", kStreamViews, StreamView::kNewAndOldImages);
  }
  table.encryption = ReadEncryption(reader, complaints);
  table.deletion_protection = reader.Boolean("deletion-protection");
  ReadTags(reader, table, complaints);
  ReadExtensions(reader, table, complaints);
  return table;
}

}  // namespace

std::vector<Table> ReadTables(const YamlNode& node, Complaints& complaints) {
  std::vector<Table> tables;
  const MapReader reader(node, "'tables'", complaints);
  for (const YamlMember* member : reader.members()) {
    RequireName(member->name, member->place, "a table", complaints);
    tables.push_back(ReadTable(*member, complaints));
  }
  if (reader.is_empty_map()) {
    complaints.Error("missing-member", node.place, "'tables' is empty, and a design needs a table",
                     "Add one: main: { name: my-table, key: { partition: PK, sort: SK } }.");
  }
  return tables;
}

}  // namespace taula::design
