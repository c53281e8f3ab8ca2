#include "design/seed.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "design/attribute_check.h"
#include "design/closest_name.h"
#include "design/execution.h"
#include "design/guards.h"
#include "design/load_parts.h"
#include "design/page_token.h"
#include "design/password.h"
#include "design/yaml_tree.h"
#include "value/map_builder.h"

namespace taula::design {
namespace {

class SeedReader {
 public:
  SeedReader(const Execution& execution, std::string_view path) : execution_(execution), path_(path) {}

  using Read = std::expected<void, std::string>;

  Read ReadAll(const YamlNode& root) {
    if (root.kind == YamlNode::Kind::kNull) return {};
    if (root.kind != YamlNode::Kind::kMap) return Wrong(root.place, "entities are expected, by their names");
    for (const YamlMember& member : root.map) {
      const Entity* const entity = execution_.design.FindEntity(member.name);
      if (entity == nullptr) return UnknownEntity(member);
      if (member.value.kind != YamlNode::Kind::kList) {
        return Wrong(member.value.place, fmt::format("a list of {} is expected", member.name));
      }
      for (const YamlNode& node : member.value.list) {
        if (Read read = ReadEntity(*entity, node); !read) return read;
      }
    }
    return {};
  }

  // By the name of their table.
  [[nodiscard]] const std::map<std::string, std::vector<Item>>& items() const { return items_; }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  std::unexpected<std::string> Wrong(Place place, std::string_view what) const {
    return std::unexpected(fmt::format("{}:{}:{}: {}", path_, place.line, place.column, what));
  }

  Read UnknownEntity(const YamlMember& member) const {
    std::vector<std::string_view> known;
    for (const Entity& entity : execution_.design.entities) known.push_back(entity.name);
    return Wrong(member.place,
                 fmt::format("there is no entity '{}'. {}", member.name, SuggestName(member.name, known)));
  }

  std::expected<std::optional<Value>, std::string> ReadValue(const Entity& entity, const YamlMember& member) {
    const Attribute* const attribute = entity.Find(member.name);
    if (attribute == nullptr) {
      std::vector<std::string_view> known;
      for (const Attribute& each : entity.attributes) known.push_back(each.name);
      return Wrong(member.place, fmt::format("{} has no attribute '{}'. {}", entity.name, member.name,
                                             SuggestName(member.name, known)));
    }
    Complaints complaints;
    std::optional<Value> value;
    const bool has_reference =
        member.value.kind == YamlNode::Kind::kScalar && member.value.text.find('{') != std::string::npos;
    if (has_reference) {
      auto evaluated = Evaluate(ReadTerm(member.value, complaints), execution_.scope, attribute);
      if (!evaluated) return Wrong(member.value.place, evaluated.error());
      value = *std::move(evaluated);
    } else if (member.value.kind != YamlNode::Kind::kNull) {
      value = ReadLiteralOf(*attribute, member.value, fmt::format("'{}'", member.name), complaints);
    }
    const Diagnostics diagnostics = complaints.Take();
    if (!diagnostics.empty()) return Wrong(diagnostics.front().place, diagnostics.front().what);
    const bool is_password = attribute->type == AttributeType::kBcrypt && value && value->type() == Type::kString &&
                             !IsBcryptHash(value->view().bytes());
    if (!is_password) return value;
    const auto hash = HashPassword(value->view().bytes(), attribute->rounds);
    if (!hash) return Wrong(member.value.place, hash.error());
    return Value(*hash);
  }

  Read ReadEntity(const Entity& entity, const YamlNode& node) {
    if (node.kind != YamlNode::Kind::kMap) {
      return Wrong(node.place, fmt::format("attributes of a {} are expected", entity.name));
    }
    std::string bytes;
    value::MapBuilder map(bytes);
    for (const YamlMember& member : node.map) {
      const auto value = ReadValue(entity, member);
      if (!value) return std::unexpected(value.error());
      if (*value) map.Add(member.name, (*value)->view());
    }
    map.Finish();
    const Item attributes = Item::FromEncoded(std::move(bytes));
    Result<Item> item =
        execution_.deriver.ItemOf(entity.name, attributes.view(), std::nullopt, execution_.scope.now_ms());
    if (!item) return Wrong(node.place, FailureOf(item.error()).message);
    ++count_;
    const Table& table = execution_.design.TableOf(entity);
    for (const Guard& guard : GuardsOf(execution_, entity, item->view())) {
      if (!guards_.emplace(guard.key.encoded(), node.place).second) {
        return Wrong(node.place, fmt::format("another one has {}", guard.meaning));
      }
      if (!execution_.calls.keeps_designs()) items_[execution_.TableOf(entity)].push_back(guard.key);
    }
    const std::string key = table.id + '\0' + StartKeyOf(table, nullptr, item->view()).encoded();
    if (const auto [known, is_new] = keys_.emplace(key, node.place); !is_new) {
      return Wrong(node.place, fmt::format("it has the key of the item in line {}", known->second.line));
    }
    items_[execution_.TableOf(entity)].push_back(*std::move(item));
    return {};
  }

  const Execution& execution_;
  std::string_view path_;
  std::map<std::string, std::vector<Item>> items_;
  std::map<std::string, Place> keys_;
  std::map<std::string, Place> guards_;
  std::size_t count_ = 0;
};

}  // namespace

std::string SeedPath(const Design& design) {
  return (std::filesystem::path(design.path).parent_path() / "seed.yaml").string();
}

std::expected<std::size_t, std::string> LoadSeed(const Design& design, std::string_view stage, std::string_view text,
                                                 std::string_view path, Backend& backend, const base::Clock& clock) {
  const auto root = ParseYaml(text);
  if (!root) {
    return std::unexpected(
        fmt::format("{}:{}:{}: {}", path, root.error().place.line, root.error().place.column, root.error().what));
  }
  const Deriver deriver(design);
  const Operation none;
  const std::string owned_stage(stage);
  const Execution execution{design, owned_stage, deriver, none, Calls(backend), Scope(clock.NowMs()), {}};
  SeedReader reader(execution, path);
  if (auto read = reader.ReadAll(*root); !read) return std::unexpected(read.error());
  for (const auto& [table, items] : reader.items()) {
    const Calls::Written written = execution.calls.BatchPut(table, items);
    if (!written.error) continue;
    return std::unexpected(fmt::format("{}: {} of {} items of table {} were written: {}", path, written.count,
                                       items.size(), table, FailureOf(*written.error).message));
  }
  return reader.count();
}

std::expected<std::size_t, std::string> LoadSeedFile(const Design& design, std::string_view stage,
                                                     const std::string& path, Backend& backend,
                                                     const base::Clock& clock) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) return std::unexpected(fmt::format("{}: cannot be read", path));
  return LoadSeed(design, stage, text.str(), path, backend, clock);
}

}  // namespace taula::design
