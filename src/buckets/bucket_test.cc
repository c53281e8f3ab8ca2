#include "buckets/bucket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "buckets/testing.h"

namespace taula::buckets {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Key, MustBeAPathThatStaysInside) {
  for (const char* good : {"", "a", "a/", "a/b.c/d", "...", "a..b", ".hidden/x"}) EXPECT_TRUE(IsPath(good)) << good;
  for (const char* bad : {"..", ".", "/", "/a", "a//b", "../a", "a/../b", "a/..", "a/./b", "./a"}) {
    EXPECT_FALSE(IsPath(bad)) << bad;
  }
  EXPECT_FALSE(IsPath(std::string_view("a\0b", 3)));
  EXPECT_FALSE(IsPath(std::string(300, 'x')));
}

TEST(Key, IsJoinedWithOneSlash) {
  EXPECT_EQ(JoinKey("", "x"), "x");
  EXPECT_EQ(JoinKey("foo", "x"), "foo/x");
  EXPECT_EQ(JoinKey("foo/", "x"), "foo/x");
}

TEST(Bucket, MustBeThere) {
  const BucketFolder folder;
  const auto missing = Bucket::Open(folder.root(), "other");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, kNoSuchBucket);
  EXPECT_THAT(missing.error().message, HasSubstr("The specified bucket does not exist"));
  EXPECT_THAT(missing.error().message, HasSubstr(folder.root() + "/other"));
  EXPECT_FALSE(Bucket::Open(folder.root(), ".."));
  EXPECT_FALSE(Bucket::Open(folder.root(), "bucket/.."));
  EXPECT_FALSE(Bucket::Open(folder.root() + "/none", "bucket"));
}

TEST(Bucket, WritesAndReadsFilesInFoldersThatItMakes) {
  const BucketFolder folder;
  const Bucket bucket = folder.Open();
  ASSERT_TRUE(bucket.Put("a/b/c.txt", "hello"));
  EXPECT_EQ(folder.Get("a/b/c.txt"), "hello");
  ASSERT_TRUE(bucket.Put("a/b/c.txt", "again"));
  EXPECT_EQ(folder.Get("a/b/c.txt"), "again");
  EXPECT_THAT(folder.Keys(), ElementsAre("a/b/c.txt"));
  EXPECT_TRUE(bucket.Read("a/b/c.txt"));
  EXPECT_FALSE(bucket.Read("a/b/none.txt"));
  EXPECT_TRUE(bucket.Remove("a/b/c.txt"));
  EXPECT_FALSE(bucket.Remove("a/b/c.txt"));
}

TEST(Bucket, ListsByAPrefixOfTheKeyAndNotOfThePath) {
  const BucketFolder folder;
  for (const char* key : {"data/1.json", "data2/x.json", "data.bak", "other/data", "data/sub/2.json"}) {
    folder.Put(key, "x");
  }
  EXPECT_THAT(folder.Keys("data"), ElementsAre("data.bak", "data/1.json", "data/sub/2.json", "data2/x.json"));
  EXPECT_THAT(folder.Keys("data/"), ElementsAre("data/1.json", "data/sub/2.json"));
  EXPECT_THAT(folder.Keys("data/1.json"), ElementsAre("data/1.json"));
  EXPECT_THAT(folder.Keys("none/"), IsEmpty());
}

TEST(Bucket, FoldersAsDeepAsKeysMayBeAreListed) {
  const BucketFolder folder;
  std::string key;
  for (int depth = 0; depth < 500; ++depth) key += "d/";
  folder.Put(key + "file", "x");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = 600;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  const auto listed = folder.Open().List("");
  setrlimit(RLIMIT_NOFILE, &before);
  ASSERT_TRUE(listed) << listed.error().message;
  EXPECT_THAT(*listed, testing::SizeIs(1));
}

TEST(Bucket, NothingLeadsOutOfIt) {
  const BucketFolder folder;
  fs::create_directory(fs::path(folder.root()) / "secret");
  std::ofstream(fs::path(folder.root()) / "secret/file") << "secret";
  fs::create_directory_symlink("../secret", folder.path("link"));
  fs::create_symlink("../secret/file", folder.path("file"));
  fs::create_directory_symlink("secret", fs::path(folder.root()) / "linked");
  const Bucket bucket = folder.Open();
  EXPECT_FALSE(bucket.Read("link/file"));
  EXPECT_FALSE(bucket.Read("file"));
  EXPECT_FALSE(bucket.Read("../secret/file"));
  EXPECT_FALSE(bucket.Create("link/new"));
  EXPECT_FALSE(bucket.Create("file"));
  EXPECT_FALSE(bucket.Create("../secret/new"));
  EXPECT_FALSE(bucket.Put("link/new", "x"));
  EXPECT_FALSE(bucket.Remove("link/file"));
  EXPECT_FALSE(Bucket::Open(folder.root(), "linked"));
  EXPECT_THAT(folder.Keys(), IsEmpty());
  EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(folder.root()) / "secret"), {}), 1);
}

TEST(Bucket, SaysWhyAFileCannotBeMade) {
  const BucketFolder folder;
  folder.Put("a", "a file, not a folder");
  const auto file = folder.Open().Create("a/b");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, kAccessDenied);
}

}  // namespace
}  // namespace taula::buckets
