#include "buckets/bucket.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

namespace taula::buckets {
namespace {

constexpr std::size_t kNameBytesMax = 255;
constexpr std::size_t kKeyBytesMax = 1024;  // what S3 takes; nothing lies deeper
constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr mode_t kFolderMode = 0777;  // the process's mask takes away from both
constexpr mode_t kFileMode = 0666;
constexpr std::string_view kUnfinishedSuffix = ".unfinished";

// A key in its folder's path and its name.
std::pair<std::string_view, std::string_view> Split(std::string_view key) {
  const std::size_t slash = key.rfind('/');
  if (slash == std::string_view::npos) return {"", key};
  return {key.substr(0, slash), key.substr(slash + 1)};
}

// Calls step(name) for each name of a path until it says no.
template <typename Step>
bool ForEachName(std::string_view path, Step step) {
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    if (!step(path.substr(0, slash))) return false;
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  }
  return true;
}

Outcome<Descriptor> Duplicate(const Descriptor& folder) {
  Descriptor copy(openat(folder.number(), ".", kFolderFlags));
  if (!copy.is_open()) return SystemFailure(errno, "A bucket's folder");
  return copy;
}

// Appends the files in a folder, and the names of the folders in it.
Outcome<void> ListFolder(const Descriptor& folder, const std::string& folder_key, std::string_view name_prefix,
                         std::vector<Object>& objects, std::vector<std::string>& folders) {
  const int number = openat(folder.number(), ".", kFolderFlags);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(number < 0 ? nullptr : fdopendir(number), closedir);
  if (entries == nullptr) {
    const int error = errno;
    if (number >= 0) close(number);
    return SystemFailure(error, folder_key);
  }
  while (const dirent* const entry = readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (name == "." || name == ".." || !name.starts_with(name_prefix)) continue;
    struct stat status {};
    if (fstatat(folder.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISREG(status.st_mode)) objects.push_back({folder_key + name, static_cast<std::uint64_t>(status.st_size)});
    if (S_ISDIR(status.st_mode)) folders.push_back(name);
  }
  return {};
}

// Appends what is below a folder, the folder's own key with its slash first.
Outcome<void> ListBelow(const Descriptor& folder, const std::string& folder_key, std::string_view name_prefix,
                        std::vector<Object>& objects) {
  std::vector<std::string> folders;  // looked into when this one is closed: each open one takes a descriptor
  if (auto listed = ListFolder(folder, folder_key, name_prefix, objects, folders); !listed) return listed;
  for (const std::string& name : folders) {
    std::string key = folder_key + name + "/";
    if (key.size() > kKeyBytesMax) continue;
    const Descriptor below(openat(folder.number(), name.c_str(), kFolderFlags));
    if (!below.is_open() && errno == ENOENT) continue;
    if (!below.is_open()) return SystemFailure(errno, key);
    if (auto listed = ListBelow(below, key, "", objects); !listed) return listed;
  }
  return {};
}

}  // namespace

bool IsPath(std::string_view key) {
  if (key.starts_with('/') || key.contains('\0') || key.contains("//")) return false;
  return ForEachName(key, [](std::string_view name) {
    return name != "." && name != ".." && name.size() + kUnfinishedSuffix.size() <= kNameBytesMax;
  });
}

std::string JoinKey(std::string_view prefix, std::string_view name) {
  if (prefix.empty()) return std::string(name);
  return fmt::format("{}{}{}", prefix, prefix.ends_with('/') ? "" : "/", name);
}

Outcome<Bucket> Bucket::Open(const std::string& root, const std::string& name) {
  const std::string path = fmt::format("{}/{}", root, name);
  if (name.contains('/') || !IsPath(name)) return FailWith(kAccessDenied, fmt::format("{} is no bucket", name));
  Descriptor folder(open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.is_open()) folder = Descriptor(openat(folder.number(), name.c_str(), kFolderFlags));
  if (folder.is_open()) return Bucket(name, std::move(folder));
  if (errno != ENOENT) return SystemFailure(errno, path);
  return FailWith(kNoSuchBucket,
                  fmt::format("The specified bucket does not exist (Service: Amazon S3; Status Code: 404; Error Code: "
                              "NoSuchBucket): a bucket is a folder, make {}",
                              path));
}

Outcome<Descriptor> Bucket::OpenFolder(std::string_view path, bool make) const {
  if (!IsPath(path)) return FailWith(kAccessDenied, fmt::format("{} is not a path in a bucket", path));
  Outcome<Descriptor> folder = Duplicate(folder_);
  if (!folder) return folder;
  const bool opened = ForEachName(path, [&](std::string_view each) {
    const std::string name(each);
    if (make && mkdirat(folder->number(), name.c_str(), kFolderMode) != 0 && errno != EEXIST) return false;
    *folder = Descriptor(openat(folder->number(), name.c_str(), kFolderFlags));
    return folder->is_open();
  });
  if (!opened) return SystemFailure(errno, fmt::format("{}/{}", name_, path));
  return folder;
}

Outcome<Descriptor> Bucket::Create(const std::string& key) const {
  const auto [path, name] = Split(key);
  if (name.empty() || !IsPath(key)) return FailWith(kAccessDenied, fmt::format("{} is not a file's path", key));
  const Outcome<Descriptor> folder = OpenFolder(path, true);
  if (!folder) return std::unexpected(folder.error());
  Descriptor file(openat(folder->number(), std::string(name).c_str(),
                         O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, kFileMode));
  if (!file.is_open()) return SystemFailure(errno, fmt::format("{}/{}", name_, key));
  return file;
}

Outcome<void> Bucket::Put(const std::string& key, std::string_view content) const {
  const std::string unfinished = key + std::string(kUnfinishedSuffix);
  const Outcome<Descriptor> file = Create(unfinished);
  if (!file) return std::unexpected(file.error());
  Outcome<void> written = WriteAll(*file, content, key);
  if (written) written = Sync(*file, key);
  if (!written) {
    Remove(unfinished);
    return written;
  }
  const Outcome<Descriptor> folder = OpenFolder(Split(key).first, false);
  if (!folder) return std::unexpected(folder.error());
  const std::string from(Split(unfinished).second);
  const std::string to(Split(key).second);
  if (renameat(folder->number(), from.c_str(), folder->number(), to.c_str()) != 0) return SystemFailure(errno, key);
  return SyncFolders(key);
}

Outcome<Descriptor> Bucket::Read(const std::string& key) const {
  const auto [path, name] = Split(key);
  const Outcome<Descriptor> folder = OpenFolder(path, false);
  if (!folder) return std::unexpected(folder.error());
  // A pipe would be waited for.
  Descriptor file(openat(folder->number(), std::string(name).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) return SystemFailure(errno, fmt::format("{}/{}", name_, key));
  return file;
}

bool Bucket::Remove(const std::string& key) const {
  const auto [path, name] = Split(key);
  const Outcome<Descriptor> folder = OpenFolder(path, false);
  return folder && unlinkat(folder->number(), std::string(name).c_str(), 0) == 0;
}

Outcome<void> Bucket::SyncFolders(const std::string& key) const {
  std::string_view path = key;
  do {
    path = Split(path).first;
    const Outcome<Descriptor> folder = OpenFolder(path, false);
    if (!folder) return std::unexpected(folder.error());
    if (auto synced = Sync(*folder, path); !synced) return synced;
  } while (!path.empty());
  return {};
}

Outcome<std::vector<Object>> Bucket::List(const std::string& prefix) const {
  const auto [path, name_prefix] = Split(prefix);
  std::vector<Object> objects;
  const Outcome<Descriptor> folder = OpenFolder(path, false);
  if (!folder && folder.error().code == kNoSuchKey) return objects;
  if (!folder) return std::unexpected(folder.error());
  const std::string folder_key = path.empty() ? "" : fmt::format("{}/", path);
  if (auto listed = ListBelow(*folder, folder_key, name_prefix, objects); !listed) {
    return std::unexpected(listed.error());
  }
  std::ranges::sort(objects, {}, &Object::key);
  return objects;
}

Outcome<void> WriteAll(const Descriptor& file, std::string_view bytes, std::string_view what) {
  while (!bytes.empty()) {
    const ssize_t written = write(file.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemFailure(errno, what);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Outcome<void> Sync(const Descriptor& file, std::string_view what) {
  if (fsync(file.number()) != 0) return SystemFailure(errno, what);
  return {};
}

}  // namespace taula::buckets
