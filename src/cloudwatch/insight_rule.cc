#include "cloudwatch/insight_rule.h"

#include "base/base64.h"
#include "codec/key_codec.h"

namespace taula::cloudwatch {

using engine::KeyRule;

bool CountsUnits(KeyRule rule) { return rule == KeyRule::kPartitionAccessed || rule == KeyRule::kKeyAccessed; }

std::vector<catalog::KeyAttribute> KeyAttributesOf(const engine::FoundRule& rule) {
  const catalog::KeySchema& key = rule.index == nullptr ? rule.table->key : rule.index->key;
  std::vector<catalog::KeyAttribute> attributes = key.partition;
  if (rule.rule == KeyRule::kKeyAccessed || rule.rule == KeyRule::kKeyThrottled) {
    attributes.insert(attributes.end(), key.sort.begin(), key.sort.end());
  }
  return attributes;
}

std::vector<std::string> KeyTexts(const std::vector<catalog::KeyAttribute>& attributes, std::string_view parts) {
  std::vector<std::string> texts;
  for (const catalog::KeyAttribute& attribute : attributes) {
    const std::size_t bytes = codec::KeyPartBytes(parts, attribute.type);
    std::string text = codec::KeyPartText(parts.substr(0, bytes), attribute.type);
    if (attribute.type == Type::kBinary) {
      base::AppendBase64(texts.emplace_back(), text);
    } else {
      texts.push_back(std::move(text));
    }
    parts.remove_prefix(bytes);
  }
  return texts;
}

}  // namespace taula::cloudwatch
