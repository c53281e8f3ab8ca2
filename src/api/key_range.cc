#include "api/key_range.h"

#include <string>
#include <utility>

#include "codec/key_codec.h"

namespace taula::api {
namespace {

using expression::KeyOperator;

std::string WithPart(const std::string& prefix, ValueView value) {
  std::string key = prefix;
  codec::AppendKeyPart(key, value);
  return key;
}

}  // namespace

// Parts are self-delimiting, so all keys that go on behind a part sort between
// it and its PrefixEnd.
base::KeyRange RangeWithin(const std::string& prefix, const expression::KeyLookup::Range& range) {
  switch (range.op) {
    case KeyOperator::kEqual:
    case KeyOperator::kNotIndexable:
      break;
    case KeyOperator::kLess:
      return {prefix, WithPart(prefix, range.first)};
    case KeyOperator::kLessOrEqual:
      return {prefix, codec::PrefixEnd(WithPart(prefix, range.first))};
    case KeyOperator::kGreater:
      return {codec::PrefixEnd(WithPart(prefix, range.first)), codec::PrefixEnd(prefix)};
    case KeyOperator::kGreaterOrEqual:
      return {WithPart(prefix, range.first), codec::PrefixEnd(prefix)};
    case KeyOperator::kBetween:
      return {WithPart(prefix, range.first), codec::PrefixEnd(WithPart(prefix, range.second.value_or(range.first)))};
    case KeyOperator::kBeginsWith: {
      std::string begin = prefix;
      codec::AppendKeyPartPrefix(begin, range.first.bytes());
      std::string end = codec::PrefixEnd(begin);
      return {std::move(begin), std::move(end)};
    }
  }
  std::string begin = WithPart(prefix, range.first);
  std::string end = codec::PrefixEnd(begin);
  return {std::move(begin), std::move(end)};
}

base::KeyRange QueryRange(codec::SpaceId space, const expression::KeyLookup& lookup) {
  codec::KeyBuilder key(space);
  for (const ValueView value : lookup.partition) key.Partition(value);
  key.EndPartition();
  for (const ValueView value : lookup.sort_equal) key.Part(value);
  std::string prefix = key.Take();
  if (lookup.range) return RangeWithin(prefix, *lookup.range);
  std::string end = codec::PrefixEnd(prefix);
  return {std::move(prefix), std::move(end)};
}

KeySchemaView::KeySchemaView(const catalog::KeySchema& schema) {
  for (const catalog::KeyAttribute& attribute : schema.partition) {
    partition_.push_back({attribute.name, attribute.type});
  }
  for (const catalog::KeyAttribute& attribute : schema.sort) sort_.push_back({attribute.name, attribute.type});
}

}  // namespace taula::api
