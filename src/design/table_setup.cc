#include "design/table_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "codec/json_request.h"
#include "design/table_requests.h"

namespace taula::design {
namespace {

constexpr auto kPollPause = std::chrono::milliseconds(20);
constexpr auto kPollPauseMax = std::chrono::seconds(2);

// A table or index as the server describes it, in words that two of them can be
// compared by.
struct DescribedIndex {
  std::string name;
  std::string key;
  std::string projection;
  bool global = false;
  bool active = true;
  Throughput provisioned;
};

struct Described {
  std::string key;
  std::vector<DescribedIndex> indexes;
  bool active = true;
  bool on_demand = false;
  Throughput provisioned;
  std::string stream;          // empty: none
  std::string encryption_key;  // an ARN; empty: Amazon's own
  bool deletion_protection = false;
};

bool AreSame(const Throughput& a, const Throughput& b) { return a.read == b.read && a.write == b.write; }

std::string KeyText(const KeyPart& partition, const std::optional<KeyPart>& sort) {
  std::string text = fmt::format("{} ({})", partition.name, WireName(partition.type));
  if (sort) text += fmt::format(", {} ({})", sort->name, WireName(sort->type));
  return text;
}

std::string ProjectionText(std::string_view type, std::vector<std::string> included) {
  std::ranges::sort(included);
  std::string text(type);
  for (const std::string& attribute : included) text += " " + attribute;
  return text;
}

std::string ProjectionText(const Index& index) {
  switch (index.projection) {
    case Projection::kKeys:
      return "KEYS_ONLY";
    case Projection::kInclude:
      return ProjectionText("INCLUDE", index.included);
    case Projection::kAll:
      break;
  }
  return "ALL";
}

std::string Text(const codec::JsonValue& value) { return std::string(value.String().value_or("")); }

class DescriptionReader {
 public:
  explicit DescriptionReader(codec::JsonStruct table) : table_(table) {
    const auto definitions = table["AttributeDefinitions"].List();
    if (!definitions) return;
    for (const codec::JsonValue definition : *definitions) {
      const auto members = definition.Struct("AttributeDefinition");
      if (members) types_.emplace_back(Text((*members)["AttributeName"]), Text((*members)["AttributeType"]));
    }
  }

  Described Read() {
    Described described;
    described.key = Key(table_);
    described.active = Text(table_["TableStatus"]) == "ACTIVE";
    if (const auto billing = table_["BillingModeSummary"].Struct("BillingModeSummary")) {
      described.on_demand = Text((*billing)["BillingMode"]) == "PAY_PER_REQUEST";
    }
    described.provisioned = UnitsOf(table_);
    if (const auto stream = table_["StreamSpecification"].Struct("StreamSpecification")) {
      if ((*stream)["StreamEnabled"].Boolean().value_or(false)) described.stream = Text((*stream)["StreamViewType"]);
    }
    if (const auto encryption = table_["SSEDescription"].Struct("SSEDescription")) {
      // What is on its way to be encrypted with a key counts as that.
      const std::string status = Text((*encryption)["Status"]);
      if (!status.starts_with("DISABL")) described.encryption_key = Text((*encryption)["KMSMasterKeyArn"]);
    }
    described.deletion_protection = table_["DeletionProtectionEnabled"].Boolean().value_or(false);
    ReadIndexes("LocalSecondaryIndexes", described);
    ReadIndexes("GlobalSecondaryIndexes", described);
    return described;
  }

 private:
  static Throughput UnitsOf(const codec::JsonStruct& owner) {
    const auto throughput = owner["ProvisionedThroughput"].Struct("ProvisionedThroughputDescription");
    if (!throughput) return {};
    return {(*throughput)["ReadCapacityUnits"].Long().value_or(0),
            (*throughput)["WriteCapacityUnits"].Long().value_or(0)};
  }

  void ReadIndexes(std::string_view member, Described& described) {
    const auto indexes = table_[member].List();
    if (!indexes) return;
    for (const codec::JsonValue element : *indexes) {
      const auto index = element.Struct("SecondaryIndexDescription");
      if (!index) continue;
      const std::string status = Text((*index)["IndexStatus"]);
      described.indexes.push_back({.name = Text((*index)["IndexName"]),
                                   .key = Key(*index),
                                   .projection = ProjectionOf(*index),
                                   .global = !status.empty(),
                                   .active = status.empty() || status == "ACTIVE",
                                   .provisioned = UnitsOf(*index)});
    }
  }

  std::string Key(const codec::JsonStruct& owner) {
    std::string partition;
    std::string sort;
    const auto elements = owner["KeySchema"].List();
    if (!elements) return {};
    for (const codec::JsonValue element : *elements) {
      const auto members = element.Struct("KeySchemaElement");
      if (!members) continue;
      const std::string name = Text((*members)["AttributeName"]);
      const auto type = std::ranges::find(types_, name, &std::pair<std::string, std::string>::first);
      std::string& part = Text((*members)["KeyType"]) == "HASH" ? partition : sort;
      if (!part.empty()) part += ", ";
      part += fmt::format("{} ({})", name, type == types_.end() ? "?" : type->second);
    }
    return sort.empty() ? partition : fmt::format("{}, {}", partition, sort);
  }

  static std::string ProjectionOf(const codec::JsonStruct& index) {
    const auto projection = index["Projection"].Struct("Projection");
    if (!projection) return {};
    std::vector<std::string> included;
    if (const auto attributes = (*projection)["NonKeyAttributes"].List()) {
      for (const codec::JsonValue attribute : *attributes) included.push_back(Text(attribute));
    }
    return ProjectionText(Text((*projection)["ProjectionType"]), std::move(included));
  }

  codec::JsonStruct table_;
  std::vector<std::pair<std::string, std::string>> types_;
};

// Whether a table that is encrypted with `key`, or without one, is as the design
// says. Which key an alias means, and which one is Amazon's, only KMS knows: there
// any key is taken for the right one.
bool IsEncryptedAs(const Encryption& encryption, std::string_view key) {
  using enum Encryption::Keeper;
  const bool by_alias = encryption.key.contains("alias/");
  if (encryption.keeper == kAwsOwned) return key.empty();
  if (encryption.keeper == kAwsManaged || by_alias) return !key.empty();
  return key == encryption.key || key.ends_with(fmt::format(":key/{}", encryption.key));
}

class OneTable {
 public:
  OneTable(const Table& table, std::string name, Backend& backend)
      : table_(table), name_(std::move(name)), backend_(backend) {}

  // Finds out what is there; fails when the design cannot be laid over it.
  Result<void> Look() {
    Result<std::optional<Described>> described = Describe();
    if (!described) return std::unexpected(std::move(described.error()));
    there_ = *std::move(described);
    if (!there_) return {};
    const std::string key = KeyText(table_.partition, table_.sort);
    if (there_->key != key) {
      return Different(fmt::format("has the key {}, and the design says {}", there_->key, key));
    }
    for (const Index& index : table_.indexes) {
      const DescribedIndex* const other = Find(index.name);
      if (other == nullptr) {
        if (index.local) return Different(fmt::format("lacks the local index {}, which cannot be added", index.name));
        continue;
      }
      if (other->key != KeyText(index.partition, index.sort)) {
        return Different(fmt::format("has its index {} on {}, and the design says {}", index.name, other->key,
                                     KeyText(index.partition, index.sort)));
      }
      if (other->projection != ProjectionText(index)) {
        return Different(fmt::format("has its index {} with the projection {}, and the design says {}", index.name,
                                     other->projection, ProjectionText(index)));
      }
    }
    return {};
  }

  Result<void> SetUp(TableSetup& setup) {
    if (there_ && !there_->active) {
      if (Result<void> settled = Settle(); !settled) return settled;
    }
    if (!there_) {
      if (Result<void> made = Call("CreateTable", CreateTableBody(table_, name_)); !made) return made;
      setup.made.push_back(fmt::format("table {} is new", name_));
      if (Result<void> ready = Await(); !ready) return ready;
      return SetTimeToLive(setup);
    }
    // What an index may say of its units depends on how the table is billed.
    if (Result<void> changed = ChangeBilling(setup); !changed) return changed;
    if (Result<void> added = AddIndexes(setup); !added) return added;
    if (Result<void> changed = ChangeSettings(setup); !changed) return changed;
    for (const DescribedIndex& index : there_->indexes) {
      if (table_.FindIndex(index.name) == nullptr) {
        setup.differs.push_back(
            fmt::format("table {} has an index {} that the design does not know", name_, index.name));
      }
    }
    return SetTimeToLive(setup);
  }

 private:
  std::unexpected<Error> Different(const std::string& how) const {
    return ValidationError(
        fmt::format("table {} {}. Neither changes by itself: serve the design with another stage or data folder, or "
                    "remove what differs first",
                    name_, how));
  }

  const DescribedIndex* Find(std::string_view index) const {
    const auto found = std::ranges::find(there_->indexes, index, &DescribedIndex::name);
    return found == there_->indexes.end() ? nullptr : &*found;
  }

  Result<void> Call(std::string_view operation, const std::string& body) {
    const Result<std::string> answer = backend_.Call(operation, body);
    if (answer) return {};
    Error error = answer.error();
    error.message = fmt::format("{} of table {}: {}", operation, name_, error.message);
    return std::unexpected(std::move(error));
  }

  // Nothing when there is no such table.
  Result<std::optional<Described>> Describe() {
    const Result<std::string> answer = backend_.Call("DescribeTable", TableNameBody(name_));
    if (!answer) {
      if (answer.error().code == ErrorCode::kResourceNotFoundException) return std::nullopt;
      return std::unexpected(answer.error());
    }
    codec::JsonBody body;
    const Result<codec::JsonStruct> members = body.Parse(*answer);
    const auto table = members ? (*members)["Table"].Struct("TableDescription") : std::nullopt;
    if (!table) {
      return Fail(ErrorCode::kServiceUnavailable, fmt::format("The description of table {} cannot be read", name_));
    }
    return DescriptionReader(*table).Read();
  }

  // Looks until what is there is `enough`.
  template <typename Enough>
  Result<void> LookUntil(Enough enough) {
    std::chrono::milliseconds pause = kPollPause;
    while (true) {
      Result<std::optional<Described>> described = Describe();
      if (!described) return std::unexpected(std::move(described.error()));
      there_ = *std::move(described);
      if (enough()) return {};
      std::this_thread::sleep_for(pause);
      pause = std::min<std::chrono::milliseconds>(2 * pause, kPollPauseMax);
    }
  }

  // Until the table and its indexes can be used.
  Result<void> Await() {
    return LookUntil(
        [this] { return there_ && there_->active && std::ranges::all_of(there_->indexes, &DescribedIndex::active); });
  }

  // Until a table that others make is made, or they have given up.
  Result<void> Settle() {
    return LookUntil([this] { return !there_ || there_->active; });
  }

  // One at a time, as Amazon's service wants it.
  Result<void> AddIndexes(TableSetup& setup) {
    for (const Index& index : table_.indexes) {
      if (Find(index.name) != nullptr) continue;
      if (Result<void> added = Call("UpdateTable", AddIndexBody(table_, name_, index)); !added) return added;
      if (Result<void> ready = Await(); !ready) return ready;
      setup.made.push_back(fmt::format("index {} of table {} is new and filled", index.name, name_));
    }
    return {};
  }

  Result<void> Change(bool differs, const std::string& body, std::string_view what, TableSetup& setup) {
    if (!differs) return {};
    if (Result<void> changed = Call("UpdateTable", body); !changed) return changed;
    setup.made.push_back(fmt::format("table {}: {}", name_, what));
    return Await();
  }

  // Those whose units are not as they should be. Indexes that the design does not
  // know get the table's when they have none.
  [[nodiscard]] std::vector<IndexUnits> WrongUnits() const {
    std::vector<IndexUnits> wrong;
    if (!table_.provisioned) return wrong;
    for (const DescribedIndex& there : there_->indexes) {
      if (!there.global) continue;
      const Index* const index = table_.FindIndex(there.name);
      if (index == nullptr && !there_->on_demand) continue;
      const Throughput units =
          index == nullptr ? *table_.provisioned : index->provisioned.value_or(*table_.provisioned);
      if (!AreSame(there.provisioned, units)) wrong.push_back({there.name, units});
    }
    return wrong;
  }

  Result<void> ChangeBilling(TableSetup& setup) {
    const bool same_mode = there_->on_demand != table_.provisioned.has_value();
    const bool table_differs = !same_mode || (table_.provisioned && !AreSame(there_->provisioned, *table_.provisioned));
    const std::vector<IndexUnits> indexes = WrongUnits();
    const std::string what = table_.provisioned ? fmt::format("provisioned {} and {} units now",
                                                              table_.provisioned->read, table_.provisioned->write)
                                                : "on-demand now";
    return Change(table_differs || !indexes.empty(), BillingBody(table_, name_, table_differs, indexes), what, setup);
  }

  Result<void> ChangeSettings(TableSetup& setup) {
    if (Result<void> changed = ChangeStream(setup); !changed) return changed;
    if (table_.encryption) {
      if (Result<void> changed =
              Change(!IsEncryptedAs(*table_.encryption, there_->encryption_key),
                     EncryptionBody(*table_.encryption, name_), "encrypted with another key now", setup);
          !changed) {
        return changed;
      }
    }
    return Change(there_->deletion_protection != table_.deletion_protection, DeletionProtectionBody(table_, name_),
                  table_.deletion_protection ? "protected from deletion now" : "no longer protected from deletion",
                  setup);
  }

  Result<void> ChangeStream(TableSetup& setup) {
    const std::string_view wanted = table_.stream ? WireName(*table_.stream) : "";
    if (there_->stream == wanted) return {};
    if (!there_->stream.empty()) {
      setup.differs.push_back(fmt::format("table {} has a stream of {}, and the design says {}", name_, there_->stream,
                                          wanted.empty() ? "none" : wanted));
      return {};
    }
    return Change(true, StreamBody(table_, name_), "has a stream now", setup);
  }

  Result<void> SetTimeToLive(TableSetup& setup) {
    const Result<std::string> answer = backend_.Call("DescribeTimeToLive", TableNameBody(name_));
    if (!answer) return std::unexpected(answer.error());
    codec::JsonBody body;
    const Result<codec::JsonStruct> members = body.Parse(*answer);
    const auto description =
        members ? (*members)["TimeToLiveDescription"].Struct("TimeToLiveDescription") : std::nullopt;
    const std::string there = description && Text((*description)["TimeToLiveStatus"]).starts_with("ENABL")
                                  ? Text((*description)["AttributeName"])
                                  : "";
    if (there == table_.ttl) return {};
    if (!there.empty()) {
      setup.differs.push_back(fmt::format("items of table {} expire by {}, and the design says {}", name_, there,
                                          table_.ttl.empty() ? "not at all" : table_.ttl));
      return {};
    }
    if (Result<void> set = Call("UpdateTimeToLive", TimeToLiveBody(table_, name_)); !set) return set;
    if (there_) setup.made.push_back(fmt::format("items of table {} expire by {} now", name_, table_.ttl));
    return {};
  }

  const Table& table_;
  const std::string name_;
  Backend& backend_;
  std::optional<Described> there_;
};

}  // namespace

Result<void> CheckTables(const Design& design, std::string_view stage, Backend& backend) {
  for (const Table& table : design.tables) {
    if (Result<void> looked = OneTable(table, design.TableName(table, stage), backend).Look(); !looked) return looked;
  }
  return {};
}

Result<TableSetup> SetUpTables(const Design& design, std::string_view stage, Backend& backend) {
  std::vector<OneTable> tables;
  tables.reserve(design.tables.size());
  for (const Table& table : design.tables) tables.emplace_back(table, design.TableName(table, stage), backend);
  for (OneTable& table : tables) {
    if (Result<void> looked = table.Look(); !looked) return std::unexpected(std::move(looked.error()));
  }
  TableSetup setup;
  for (OneTable& table : tables) {
    if (Result<void> set_up = table.SetUp(setup); !set_up) return std::unexpected(std::move(set_up.error()));
  }
  return setup;
}

}  // namespace taula::design
