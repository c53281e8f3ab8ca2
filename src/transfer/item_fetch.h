// Reads items by their keys with BatchGetItem, patiently.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "client/call_function.h"
#include "client/patience.h"
#include "taula/error.h"
#include "transfer/item_key.h"

namespace taula::transfer {

struct FetchOptions {
  std::string table;
  KeyNames key;
  bool keys_only = false;
  client::Patience patience = {};
};

// By their keys, as KeyOf makes them; what does not exist is not in it. Any
// number of keys, each once.
using Fetched = std::unordered_map<std::string, std::string>;
[[nodiscard]] Result<Fetched> FetchItems(const client::CallFunction& call, const FetchOptions& options,
                                         const std::vector<std::string>& keys);

// The members of a request that ask for the attributes of the key alone, as
// JSON without braces.
[[nodiscard]] std::string KeysOnlyMembers(const KeyNames& key);

}  // namespace taula::transfer
