// A folder of a test's own with a bucket in it, and files in short.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "buckets/bucket.h"

namespace taula::buckets {

class BucketFolder {
 public:
  BucketFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "taula-buckets-XXXXXX").string();
    root_ = mkdtemp(name.data());
    std::filesystem::create_directory(root_ / kName);
  }
  ~BucketFolder() { std::filesystem::remove_all(root_); }
  BucketFolder(const BucketFolder&) = delete;
  BucketFolder& operator=(const BucketFolder&) = delete;

  static constexpr const char* kName = "bucket";

  [[nodiscard]] std::string root() const { return root_.string(); }
  [[nodiscard]] std::filesystem::path path(const std::string& key) const { return root_ / kName / key; }
  [[nodiscard]] Bucket Open() const {
    auto bucket = Bucket::Open(root(), kName);
    EXPECT_TRUE(bucket) << bucket.error().message;
    return *std::move(bucket);
  }
  void Put(const std::string& key, const std::string& content) const {
    std::filesystem::create_directories(path(key).parent_path());
    std::ofstream(path(key), std::ios::binary) << content;
  }
  [[nodiscard]] std::string Get(const std::string& key) const {
    std::ifstream file(path(key), std::ios::binary);
    EXPECT_TRUE(file) << key;
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] std::vector<std::string> Keys(const std::string& prefix = "") const {
    const auto objects = Open().List(prefix);
    EXPECT_TRUE(objects) << objects.error().message;
    std::vector<std::string> keys;
    for (const Object& object : *objects) keys.push_back(object.key);
    return keys;
  }

 private:
  std::filesystem::path root_;
};

inline std::string Gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string Gunzip(const std::string& compressed) {
  z_stream stream{};
  inflateInit2(&stream, 15 + 16);
  std::string text;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
  stream.avail_in = static_cast<uInt>(compressed.size());
  int status = Z_OK;
  while (status == Z_OK) {
    char buffer[4096];
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof(buffer);
    status = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer, sizeof(buffer) - stream.avail_out);
  }
  EXPECT_EQ(status, Z_STREAM_END);
  inflateEnd(&stream);
  return text;
}

inline std::string Zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

}  // namespace taula::buckets
