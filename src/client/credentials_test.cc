#include "client/credentials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

namespace taula::client {
namespace {

using testing::HasSubstr;

// A home folder and the variables of a process.
class CredentialsTest : public testing::Test {
 protected:
  CredentialsTest() {
    std::string name = (std::filesystem::temp_directory_path() / "taula-home-XXXXXX").string();
    home_ = mkdtemp(name.data());
    std::filesystem::create_directory(home_ / ".aws");
    variables["HOME"] = home_;
  }
  ~CredentialsTest() override { std::filesystem::remove_all(home_); }

  void Write(const std::string& name, const std::string& text) const { std::ofstream(home_ / ".aws" / name) << text; }

  Environment environment() {
    return [this](const char* name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      if (found == variables.end()) return std::nullopt;
      return found->second;
    };
  }
  auto Find(const char* url) { return FindCredentials(*ParseUrl(url), environment()); }
  std::string Region(std::string_view given, const char* url = "http://localhost") {
    return FindRegion(given, *ParseUrl(url), environment());
  }

  std::map<std::string, std::string> variables;
  std::filesystem::path home_;
};

constexpr const char* kAmazon = "https://dynamodb.us-east-1.amazonaws.com";

TEST_F(CredentialsTest, ComeFromTheEnvironmentFirst) {
  Write("credentials", "[default]\naws_access_key_id = file\naws_secret_access_key = file\n");
  variables["AWS_ACCESS_KEY_ID"] = "id";
  variables["AWS_SECRET_ACCESS_KEY"] = "secret";
  variables["AWS_SESSION_TOKEN"] = "token";
  const auto found = Find(kAmazon);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->access_key_id, "id");
  EXPECT_EQ(found->secret_access_key, "secret");
  EXPECT_EQ(found->session_token, "token");
}

TEST_F(CredentialsTest, ComeFromTheProfileOtherwise) {
  Write("credentials",
        "# mine\n[default]\naws_access_key_id=a\naws_secret_access_key=b\n\n"
        "[work]\r\naws_access_key_id = c \r\naws_secret_access_key = d=e\r\naws_session_token = f\r\n");
  EXPECT_EQ(Find(kAmazon)->access_key_id, "a");
  variables["AWS_PROFILE"] = "work";
  EXPECT_EQ(Find(kAmazon)->access_key_id, "c");
  EXPECT_EQ(Find(kAmazon)->secret_access_key, "d=e");
  EXPECT_EQ(Find(kAmazon)->session_token, "f");
}

TEST_F(CredentialsTest, MayStandInTheConfigFile) {
  Write("config", "[profile work]\naws_access_key_id = c\naws_secret_access_key = d\ns3 =\n  aws_access_key_id = x\n");
  variables["AWS_PROFILE"] = "work";
  EXPECT_EQ(Find(kAmazon)->access_key_id, "c");
}

TEST_F(CredentialsTest, StandInOtherFilesWhenTheEnvironmentSaysSo) {
  Write("elsewhere", "[default]\naws_access_key_id = a\naws_secret_access_key = b\n");
  variables["AWS_SHARED_CREDENTIALS_FILE"] = home_ / ".aws" / "elsewhere";
  EXPECT_EQ(Find(kAmazon)->access_key_id, "a");
}

TEST_F(CredentialsTest, AreMadeUpForThisMachineAlone) {
  EXPECT_EQ(Find("http://localhost:8000")->access_key_id, "local");
  const auto found = Find(kAmazon);
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error(), HasSubstr(kAmazon));
  EXPECT_THAT(found.error(), HasSubstr("AWS_ACCESS_KEY_ID"));
}

TEST_F(CredentialsTest, AreNotHalfThere) {
  variables["AWS_ACCESS_KEY_ID"] = "id";
  const auto found = Find("http://localhost:8000");
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error(), HasSubstr("AWS_SECRET_ACCESS_KEY is not"));
}

TEST_F(CredentialsTest, OfAProfileThatIsMissingAreAnError) {
  variables["AWS_PROFILE"] = "typo";
  ASSERT_FALSE(Find(kAmazon));
  EXPECT_THAT(Find(kAmazon).error(), HasSubstr("'typo'"));
}

TEST_F(CredentialsTest, OfAProfileWithSingleSignOnSayHowToGetThem) {
  Write("config", "[profile work]\nsso_session = corp\n");
  variables["AWS_PROFILE"] = "work";
  ASSERT_FALSE(Find(kAmazon));
  EXPECT_THAT(Find(kAmazon).error(), HasSubstr("export-credentials --profile work"));
}

TEST_F(CredentialsTest, RegionIsTheFirstThatIsGiven) {
  EXPECT_EQ(Region(""), "us-east-1");
  Write("config", "[default]\nregion = eu-south-2\n");
  EXPECT_EQ(Region(""), "eu-south-2");
  variables["AWS_DEFAULT_REGION"] = "eu-west-3";
  EXPECT_EQ(Region(""), "eu-west-3");
  variables["AWS_REGION"] = "eu-west-2";
  EXPECT_EQ(Region(""), "eu-west-2");
  EXPECT_EQ(Region("", "https://dynamodb.ap-south-1.amazonaws.com"), "ap-south-1");
  EXPECT_EQ(Region("", "https://dynamodb.cn-north-1.amazonaws.com.cn"), "cn-north-1");
  EXPECT_EQ(Region("sa-east-1", "https://dynamodb.ap-south-1.amazonaws.com"), "sa-east-1");
}

}  // namespace
}  // namespace taula::client
