// Lists and keys inside catalog records, which tables and streams have alike.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "catalog/record.h"
#include "catalog/table.h"

namespace taula::catalog {

// Applies `encode` to each element, which gives a map value.
template <typename Elements, typename Encode>
Value EncodeList(const Elements& elements, Encode encode) {
  std::vector<Value> values;
  for (const auto& element : elements) values.push_back(encode(element));
  return Value::List(std::span<const Value>(values));
}

// An attribute definition or a key attribute: both are a name and a type.
template <typename Attribute>
Value EncodeAttribute(const Attribute& attribute) {
  RecordWriter record;
  record.Text("name", attribute.name);
  record.Named("type", attribute.type);
  return record.TakeValue();
}

template <typename Attribute>
bool DecodeAttributes(const RecordReader& record, std::string_view name, std::vector<Attribute>& attributes) {
  return record.ForEach(name, [&](const RecordReader& element) {
    const auto attribute = element.Text("name");
    const auto type = element.Named<Type>("type");
    if (!attribute || !type) return false;
    attributes.push_back({*attribute, *type});
    return true;
  });
}

inline void EncodeKey(RecordWriter& record, const KeySchema& key) {
  record.Set("partition_key", EncodeList(key.partition, EncodeAttribute<KeyAttribute>));
  record.Set("sort_key", EncodeList(key.sort, EncodeAttribute<KeyAttribute>));
}

inline bool DecodeKey(const RecordReader& record, KeySchema& key) {
  return DecodeAttributes(record, "partition_key", key.partition) && DecodeAttributes(record, "sort_key", key.sort) &&
         !key.partition.empty();
}

}  // namespace taula::catalog
