// What is wrong with the items of an import, one JSON object a line, as Amazon
// writes it to CloudWatch; here it is a file beside the buckets:
// <buckets>/.import-errors/<id>.json
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "buckets/descriptor.h"

namespace taula::engine {

class ImportLog {
 public:
  // `buckets` is the folder of the buckets. The file is made with the first error.
  ImportLog(std::string buckets, std::string import_arn, std::string import_id, std::string bucket);
  ~ImportLog();
  ImportLog(const ImportLog&) = delete;
  ImportLog& operator=(const ImportLog&) = delete;

  // The item is the `index`-th of the object, from 0. A log that cannot be
  // written stays as it is, and the import goes on.
  void Add(std::string_view key, std::size_t index, std::string_view message);

 private:
  void Open();
  void Flush();

  std::string buckets_;
  std::string import_arn_;
  std::string import_id_;
  std::string bucket_;
  std::size_t errors_ = 0;
  std::optional<buckets::Descriptor> file_;
  std::string lines_;
};

}  // namespace taula::engine
