// A bucket is a folder whose files are known by keys, as the objects in S3 are.
// No key leads out of it, neither by its name nor by a symbolic link: every step
// of a path is opened on its own, and links are not followed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "buckets/descriptor.h"
#include "buckets/failure.h"

namespace taula::buckets {

struct Object {
  std::string key;
  std::uint64_t bytes = 0;
};

// Whether a key, or the beginning of one, can be a path below a folder: names
// between single slashes, none of them "." or "..", none longer than a file
// system takes.
[[nodiscard]] bool IsPath(std::string_view key);

// "prefix/name", whether or not the prefix ends with a slash; the name alone
// when there is no prefix.
[[nodiscard]] std::string JoinKey(std::string_view prefix, std::string_view name);

class Bucket {
 public:
  // The folder `name` in the folder `root`; both must be there.
  [[nodiscard]] static Outcome<Bucket> Open(const std::string& root, const std::string& name);

  [[nodiscard]] const std::string& name() const { return name_; }

  // A file to write, empty at first. Makes the folders on its way.
  [[nodiscard]] Outcome<Descriptor> Create(const std::string& key) const;
  // A whole small file, on the disk when this returns. Its old content, or
  // nothing, is there until then.
  [[nodiscard]] Outcome<void> Put(const std::string& key, std::string_view content) const;
  [[nodiscard]] Outcome<Descriptor> Read(const std::string& key) const;
  // Whether there was one.
  bool Remove(const std::string& key) const;
  // Brings the names of the files in a key's folder, and those of the folders
  // above, to the disk.
  [[nodiscard]] Outcome<void> SyncFolders(const std::string& key) const;

  // The files whose keys begin with `prefix`, in the order of their keys.
  [[nodiscard]] Outcome<std::vector<Object>> List(const std::string& prefix) const;

 private:
  Bucket(std::string name, Descriptor folder) : name_(std::move(name)), folder_(std::move(folder)) {}
  [[nodiscard]] Outcome<Descriptor> OpenFolder(std::string_view path, bool make) const;

  std::string name_;
  Descriptor folder_;
};

// Writes all of it.
[[nodiscard]] Outcome<void> WriteAll(const Descriptor& file, std::string_view bytes, std::string_view what);
[[nodiscard]] Outcome<void> Sync(const Descriptor& file, std::string_view what);

}  // namespace taula::buckets
