// Operations that read: get, query, scan and batch-get.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "codec/json_writer.h"
#include "design/compile.h"
#include "design/entity_json.h"
#include "design/execution.h"
#include "design/item_path.h"
#include "design/page_token.h"
#include "design/parameters.h"
#include "value/map_builder.h"

namespace taula::design {
namespace {

constexpr std::size_t kLimitDefault = 1000;
constexpr std::int64_t kPageMax = 1000;
// A filter may drop nearly everything; after so many requests the caller is
// told how far it got.
constexpr int kRequestsMax = 32;
constexpr std::size_t kBatchKeysMax = 1000;

std::string JoinedNames(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? std::string() : names.front();
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

bool IsOneOf(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Reads pages until there are enough items, dropping those of other entities.
class PagedRead {
 public:
  PagedRead(const Execution& execution, const Operation& operation, const ReadRequest& request)
      : execution_(execution), operation_(operation), request_(request) {}

  // At most `limit` items from behind `start` on.
  Outcome<std::vector<Item>> Read(std::size_t limit, std::optional<Item> start) {
    std::vector<Item> items;
    const bool drops = !request_.filter.empty() || !request_.plan.others.empty();
    std::int64_t page_size = std::min<std::int64_t>(static_cast<std::int64_t>(limit), kPageMax);
    if (drops) page_size = std::max<std::int64_t>(page_size, kFilteredPageMin);
    for (int requests = 0; requests < kRequestsMax && !IsNothing(); ++requests) {
      Result<ReadPage> page = execution_.calls.Page(request_.operation, request_.Body(page_size, start));
      if (!page) return std::unexpected(FailureOf(page.error()));
      for (Item& item : page->items) {
        if (!IsAskedFor(item.view())) continue;
        if (items.size() == limit) {
          // There are more, so the next page begins behind the last that is given.
          next_ = StartKeyOf(*request_.plan.table, request_.plan.index, items.back().view());
          return items;
        }
        items.push_back(std::move(item));
      }
      next_ = std::move(page->last_key);
      if (!next_ || items.size() == limit) return items;
      start = next_;
      page_size = std::min(kPageMax, page_size * 2);
    }
    return items;
  }

  [[nodiscard]] const std::optional<Item>& next() const { return next_; }

 private:
  static constexpr std::int64_t kFilteredPageMin = 25;

  bool IsNothing() const { return request_.ranges.partition.is_empty() || request_.ranges.sort.is_empty(); }

  bool IsAskedFor(ValueView item) const {
    const auto entity = execution_.deriver.EntityOf(request_.plan.table->id, item);
    return entity && IsOneOf(operation_.entities, *entity) && request_.Holds(item);
  }

  const Execution& execution_;
  const Operation& operation_;
  const ReadRequest& request_;
  std::optional<Item> next_;
};

std::size_t LimitOf(const Execution& execution) {
  if (const auto given = execution.scope.Find("limit")) {
    return static_cast<std::size_t>(std::stoul(given->view().number_text()));
  }
  return execution.operation.limit ? static_cast<std::size_t>(*execution.operation.limit) : kLimitDefault;
}

void AppendItem(std::string& out, const Execution& execution, const Operation& operation, ValueView item) {
  const Table& table = execution.design.TableOf(execution.EntityOf(operation));
  const auto name = execution.deriver.EntityOf(table.id, item);
  const Entity& entity = name ? *execution.design.FindEntity(*name) : execution.EntityOf(operation);
  AppendEntityJson(out, execution.deriver, entity, item,
                   {.returns = operation.returns, .named = operation.entities.size() > 1});
}

std::string OneItem(const Execution& execution, const Operation& operation, ValueView item) {
  std::string answer = R"({"item":)";
  AppendItem(answer, execution, operation, item);
  answer.push_back('}');
  return answer;
}

std::string Items(const Execution& execution, const std::vector<Item>& items, const std::string& next) {
  std::string answer = R"({"items":[)";
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) answer.push_back(',');
    AppendItem(answer, execution, execution.operation, items[i].view());
  }
  answer.push_back(']');
  if (!next.empty()) {
    answer.append(R"(,"next":)");
    codec::AppendStringJson(answer, next);
  }
  answer.push_back('}');
  return answer;
}

std::uint64_t FingerprintOf(const Execution& execution, const ReadRequest& request) {
  const auto& low = request.ranges.partition.low;
  return Fingerprint(request.table, execution.operation.name, low ? low->value.encoded() : std::string());
}

Outcome<std::optional<PageToken>> TokenOf(const Execution& execution) {
  const auto given = execution.scope.Find("next");
  if (!given) return std::nullopt;
  std::optional<PageToken> token = PageToken::Decode(given->view().bytes());
  if (!token) return Invalid("next", "next is not what an answer of this operation had in it.");
  return token;
}

// Keys of one table in one order, for looking items up.
std::string KeyText(const Table& table, ValueView item) { return StartKeyOf(table, nullptr, item).encoded(); }

}  // namespace

Failure NotFound(const Entity& entity, const std::vector<std::string>& by) {
  const std::string with = by.empty() ? std::string() : fmt::format(" with this {}", JoinedNames(by));
  return {FailureCode::kNotFound, fmt::format("There is no {}{}.", entity.name, with), {}};
}

bool IsDeleted(const Execution& execution, const Entity& entity, ValueView item) {
  if (entity.soft_delete.empty()) return false;
  const auto deleted = execution.deriver.Find(entity.name, entity.soft_delete, item);
  return deleted && deleted->type() != Type::kNull;
}

Outcome<Item> KeyAttributesOf(const Execution& execution, const Operation& step, const Scope& scope) {
  const Entity& entity = execution.EntityOf(step);
  std::string bytes;
  value::MapBuilder map(bytes);
  for (const std::string& name : KeyAttributes(entity)) {
    std::optional<Value> value;
    if (const Assignment* const given = FindAssignment(step.key, entity, name)) {
      auto evaluated = Evaluate(given->value, scope, entity.Find(name));
      if (!evaluated) return Invalid(name, evaluated.error() + ".");
      value = *std::move(evaluated);
    } else {
      value = scope.Implied(name);
    }
    if (!value) return Invalid(name, fmt::format("{} is missing.", name));
    map.Add(name, value->view());
  }
  map.Finish();
  return Item::FromEncoded(std::move(bytes));
}

Outcome<std::optional<Item>> ReadOne(const Execution& execution, const Operation& get, const Scope& scope,
                                     bool consistent) {
  const Entity& entity = execution.EntityOf(get);
  const Outcome<Item> attributes = KeyAttributesOf(execution, get, scope);
  if (!attributes) return std::unexpected(attributes.error());
  const Result<Item> key = execution.deriver.KeyOf(entity.name, attributes->view());
  if (!key) return std::unexpected(FailureOf(key.error()));
  Placeholders placeholders;
  const std::string projection = CompileProjection(execution.design, get, placeholders);
  std::string more;
  if (!projection.empty()) {
    codec::JsonWriter json(more);
    json.BeginObject();
    json.Key("ProjectionExpression").String(projection);
    placeholders.Write(json);
    json.EndObject();
    more.front() = ',';
    more.pop_back();
  }
  Result<std::optional<Item>> item =
      execution.calls.GetItem(execution.TableOf(entity), *key, consistent || get.consistent, more);
  if (!item) return std::unexpected(FailureOf(item.error()));
  if (!*item) return std::nullopt;
  const ValueView found = (*item)->view();
  const bool is_hidden = !get.include_deleted && IsDeleted(execution, entity, found);
  if (is_hidden || execution.deriver.EntityOf(entity.table, found) != entity.name) return std::nullopt;
  return *std::move(item);
}

Outcome<std::vector<Item>> ReadSome(const Execution& execution, const Operation& query, const Scope& scope,
                                    std::size_t limit) {
  const Outcome<ReadRequest> request = CompileRead(execution.design, execution.stage, query, scope);
  if (!request) return std::unexpected(request.error());
  return PagedRead(execution, query, *request).Read(limit, std::nullopt);
}

Outcome<std::optional<Item>> FindWhole(const Execution& execution, const Operation& query, const Scope& scope) {
  Operation plain = query;
  plain.returns.clear();
  Outcome<std::vector<Item>> found = ReadSome(execution, plain, scope, 1);
  if (!found) return std::unexpected(found.error());
  if (found->empty()) return std::nullopt;
  const Entity& entity = execution.EntityOf(query);
  const Table& table = execution.design.TableOf(entity);
  const Index* const index = table.FindIndex(query.index);
  if (index == nullptr || index->projection == Projection::kAll) return std::move(found->front());
  const Item key = StartKeyOf(table, nullptr, found->front().view());
  Result<std::optional<Item>> whole = execution.calls.GetItem(execution.TableOf(entity), key, false);
  if (!whole) return std::unexpected(FailureOf(whole.error()));
  return *std::move(whole);
}

Outcome<std::string> RunGet(Execution& execution) {
  const Operation& get = execution.operation;
  const Outcome<std::optional<Item>> item = ReadOne(execution, get, execution.scope, false);
  if (!item) return std::unexpected(item.error());
  const Entity& entity = execution.EntityOf(get);
  if (!*item) return std::unexpected(NotFound(entity, KeyAttributes(entity)));
  return OneItem(execution, get, (*item)->view());
}

Outcome<std::string> RunQuery(Execution& execution) {
  const Operation& operation = execution.operation;
  const Outcome<std::optional<PageToken>> token = TokenOf(execution);
  if (!token) return std::unexpected(token.error());
  const Outcome<ReadRequest> request = CompileRead(execution.design, execution.stage, operation, execution.scope);
  if (!request) return std::unexpected(request.error());
  const std::uint64_t fingerprint = FingerprintOf(execution, *request);
  std::optional<Item> start;
  if (*token) {
    const bool is_ours =
        (*token)->fingerprint == fingerprint && IsStartKey(*request->plan.table, request->plan.index, (*token)->key);
    if (!is_ours) return Invalid("next", "next is of another operation, or of other parameters.");
    start = (*token)->key;
  }
  PagedRead read(execution, operation, *request);
  const Outcome<std::vector<Item>> items = read.Read(operation.one ? 1 : LimitOf(execution), std::move(start));
  if (!items) return std::unexpected(items.error());
  if (operation.one) {
    if (items->empty()) return std::unexpected(NotFound(execution.EntityOf(operation), operation.by));
    return OneItem(execution, operation, items->front().view());
  }
  std::string next;
  if (read.next()) next = PageToken{fingerprint, execution.scope.now_ms(), *read.next()}.Encode();
  return Items(execution, *items, next);
}

Outcome<std::string> RunBatchGet(Execution& execution) {
  const Operation& operation = execution.operation;
  const Entity& entity = execution.EntityOf(operation);
  const Table& table = execution.design.TableOf(entity);
  const std::optional<Value> given = execution.scope.Find("keys");
  if (!given) return Invalid("keys", "keys is missing.");
  if (given->view().list().size() > kBatchKeysMax) {
    return Invalid("keys",
                   fmt::format("keys has {} elements; there may be {}.", given->view().list().size(), kBatchKeysMax));
  }
  std::vector<Item> keys;                    // as they are asked for
  std::map<std::string, const Item*> found;  // by key
  for (const ValueView attributes : given->view().list()) {
    Result<Item> key = execution.deriver.KeyOf(entity.name, attributes);
    if (!key) {
      Failure failure = FailureOf(key.error());
      return Invalid("keys", fmt::format("keys[{}]: {}", keys.size(), failure.message));
    }
    keys.push_back(*std::move(key));
  }
  std::vector<Item> distinct;
  for (const Item& key : keys) {
    if (found.emplace(key.encoded(), nullptr).second) distinct.push_back(key);
  }
  const Result<std::vector<Item>> items =
      execution.calls.BatchGet(execution.TableOf(entity), distinct, operation.consistent);
  if (!items) return std::unexpected(FailureOf(items.error()));
  for (const Item& item : *items) found[KeyText(table, item.view())] = &item;
  std::vector<Item> answer;
  for (const Item& key : keys) {
    const Item* const item = found[key.encoded()];
    if (item == nullptr || execution.deriver.EntityOf(table.id, item->view()) != entity.name) continue;
    if (operation.include_deleted || !IsDeleted(execution, entity, item->view())) answer.push_back(*item);
  }
  return Items(execution, answer, {});
}

}  // namespace taula::design
