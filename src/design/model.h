// A design as the database works with it: what docs/design-files.md describes,
// with names resolved and defaults filled in. Made by load.h, immutable afterwards.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "design/place.h"
#include "design/template.h"
#include "taula/value.h"

namespace taula::design {

enum class Checks : std::uint8_t { kEnforce, kWarn, kOff };

struct KeyPart {
  std::string name;
  Type type = Type::kString;  // string, number or binary
  Place place;
};

struct Throughput {
  std::int64_t read = 0;
  std::int64_t write = 0;
};

enum class Projection : std::uint8_t { kAll, kKeys, kInclude };

struct Index {
  std::string name;
  Place place;
  KeyPart partition;
  std::optional<KeyPart> sort;
  Projection projection = Projection::kAll;
  std::vector<std::string> included;  // with kInclude
  bool local = false;
  std::optional<Throughput> provisioned;  // the table's, unless it has its own
};

enum class StreamView : std::uint8_t { kKeysOnly, kNewImage, kOldImage, kNewAndOldImages };

// With which key a table is encrypted at rest.
struct Encryption {
  enum class Keeper { kAwsOwned, kAwsManaged, kOwnKey };
  Keeper keeper = Keeper::kAwsOwned;
  std::string key;  // for kOwnKey: its ARN, its id or alias/…
};

struct Table {
  std::string id;  // its name in the design
  Template name;   // {stage} is its only reference
  Place place;
  KeyPart partition;
  std::optional<KeyPart> sort;
  std::vector<Index> indexes;
  std::optional<Throughput> provisioned;  // nothing: on-demand
  std::string ttl;                        // empty: none
  std::optional<StreamView> stream;
  std::optional<Encryption> encryption;  // nothing: as it is, and Amazon's default for a new table
  bool deletion_protection = false;
  std::vector<std::pair<std::string, std::string>> tags;
  bool range_queries = false;
  Place name_place;
  Place ttl_place;

  [[nodiscard]] const Index* FindIndex(std::string_view index) const;
};

enum class AttributeType : std::uint8_t {
  kString,
  kNumber,
  kInteger,
  kBoolean,
  kBinary,
  kList,
  kMap,
  kStringSet,
  kNumberSet,
  kBinarySet,
  kEnum,
  kTimestamp,
  kDate,
  kUlid,
  kUuid,
  kEmail,
  kBcrypt,
  kAny,
};

enum class SetWhen : std::uint8_t { kNever, kOnCreate, kOnWrite };
enum class TimeFormat : std::uint8_t { kMilliseconds, kSeconds, kEpoch };

struct Attribute {
  std::string name;
  Place place;
  std::string description;
  AttributeType type = AttributeType::kString;
  bool required = false;  // also when it is in the primary key
  bool generated = false;
  bool secret = false;
  bool stored = true;
  bool immutable = false;  // also when it is in the primary key
  std::string map;         // the map attribute that it is kept in; empty: at the top
  SetWhen set = SetWhen::kNever;
  TimeFormat format = TimeFormat::kMilliseconds;
  std::optional<Value> default_value;
  std::vector<Value> values;  // of an enum
  std::string prefix;         // of generated ids
  std::optional<Value> min;
  std::optional<Value> max;
  std::optional<std::size_t> min_length;
  std::optional<std::size_t> max_length;
  std::vector<Attribute> fields;    // of a map
  std::vector<Attribute> elements;  // of a list: none, or one for all of them
  int rounds = 10;                  // of bcrypt
};

// Templates for the attributes of one key, the table's or an index's.
struct KeyTemplates {
  Template partition;
  std::optional<Template> sort;
  Place partition_place;
  Place sort_place;
};

struct IndexKey {
  std::string index;
  // Nothing where the index's key attribute is one of the entity's own: goals'
  // index by "email" and "SK".
  std::optional<Template> partition;
  std::optional<Template> sort;
  Place place;
  Place partition_place;  // of the templates; the index's own where there is none
  Place sort_place;
};

struct Growth {
  std::string attribute;
  std::int64_t items = 0;
  Place place;
};

struct Entity {
  std::string name;
  Place place;
  std::string description;
  std::string table;  // Table::id
  KeyTemplates key;
  std::vector<IndexKey> indexes;
  std::vector<std::pair<std::string, Value>> type;  // attributes with fixed values
  std::string map;                                  // where attributes are kept; empty: at the top
  std::vector<Attribute> attributes;
  std::vector<std::vector<std::string>> unique;  // each: the attributes that are unique together
  std::vector<Place> unique_places;
  std::string soft_delete;  // a timestamp attribute; empty: none
  Place soft_delete_place;
  Checks checks = Checks::kEnforce;
  std::vector<Growth> growth;

  [[nodiscard]] const Attribute* Find(std::string_view attribute) const;
  [[nodiscard]] const IndexKey* FindIndex(std::string_view index) const;
};

// A value in an operation: a literal, text with references, or a list or map of
// values.
struct Term {
  enum class Kind : std::uint8_t { kLiteral, kText, kList, kMap };
  Kind kind = Kind::kLiteral;
  Place place;
  Value literal;
  Template text;
  std::vector<Term> list;
  std::vector<std::pair<std::string, Term>> map;
};

enum class OperationKind : std::uint8_t {
  kGet,
  kCreate,
  kPut,
  kUpdate,
  kDelete,
  kQuery,
  kScan,
  kBatchGet,
  kBatchPut,
  kVerify,
  kTransaction,
  kCheck,  // only as a step
};

enum class Comparison : std::uint8_t { kAfter, kFrom, kBefore, kUntil, kBetween, kStartsWith };

struct Bound {
  std::string attribute;
  Comparison comparison = Comparison::kFrom;
  Term low;   // the only one, except with kBetween
  Term high;  // with kBetween
  Place place;
};

// A condition as it was written; condition.h compiles it.
struct ConditionText {
  std::string text;
  Place place;
};

struct Assignment {
  std::string path;  // an attribute, or a field of a map: "data.title"
  Term value;
  Place place;
};

struct Operation;

struct NamedRead {
  std::string name;
  std::vector<Operation> operation;  // exactly one: a get, or a query with one: true
};

struct Operation {
  std::string name;
  Place place;
  std::string description;
  std::vector<std::string> covers;
  OperationKind kind = OperationKind::kGet;
  std::vector<std::string> entities;  // one, but for queries and scans
  Place entities_place;
  std::string index;
  Place index_place;
  std::vector<std::string> by;
  Place by_place;
  // Values of attributes of the key that do not come from parameters of their
  // names.
  std::vector<Assignment> key;
  std::vector<Bound> where;
  std::optional<ConditionText> filter;
  std::optional<ConditionText> condition;  // "if"
  bool descending = false;
  std::optional<std::int64_t> limit;
  bool one = false;
  bool include_deleted = false;
  bool consistent = false;
  std::vector<std::string> returns;
  std::vector<std::string> change;
  std::vector<Assignment> set;
  std::vector<Assignment> add;
  std::vector<std::string> remove;
  std::vector<Attribute> parameters;  // declared ones; a default's text may hold references
  std::vector<std::pair<std::string, Term>> parameter_defaults;
  std::string with;    // verify: the parameter with the password
  std::string secret;  // verify: the bcrypt attribute
  std::vector<std::pair<std::string, Term>> let;
  std::vector<NamedRead> read;
  std::vector<Operation> steps;  // of a transaction
  std::string for_each_variable;
  std::string for_each_list;
};

struct Design {
  std::string name;
  std::string path;  // of its file, as it was given
  std::string text;  // the file
  std::string description;
  std::string stage = "dev";
  Checks checks = Checks::kEnforce;
  std::vector<Table> tables;
  std::vector<Entity> entities;
  std::vector<Operation> operations;

  [[nodiscard]] const Table* FindTable(std::string_view id) const;
  [[nodiscard]] const Entity* FindEntity(std::string_view entity) const;
  [[nodiscard]] const Operation* FindOperation(std::string_view operation) const;
  // The entity's table, which exists in a design that was loaded without errors.
  [[nodiscard]] const Table& TableOf(const Entity& entity) const { return *FindTable(entity.table); }
  // With the design's own stage when none is given.
  [[nodiscard]] std::string TableName(const Table& table, std::string_view stage_or_empty) const;
};

}  // namespace taula::design
