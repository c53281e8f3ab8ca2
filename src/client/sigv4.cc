#include "client/sigv4.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <ctime>

namespace taula::client {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
constexpr std::string_view kTermination = "aws4_request";

const unsigned char* Bytes(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

std::string Hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) fmt::format_to(std::back_inserter(out), "{:02x}", static_cast<unsigned char>(c));
  return out;
}

std::string Sha256Hex(std::string_view text) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(Bytes(text), text.size(), digest.data());
  return Hex({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

std::string Hmac(std::string_view key, std::string_view text) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  unsigned length = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), Bytes(text), text.size(), digest.data(), &length);
  return {reinterpret_cast<const char*>(digest.data()), length};
}

// Every byte but those that an address may always hold, as %XX.
std::string EncodePath(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 ||
        std::string_view("-_.~/").find(c) != std::string_view::npos) {
      out.push_back(c);
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

// Without ".", ".." and empty segments.
std::string NormalizePath(std::string_view path) {
  std::vector<std::string_view> segments;
  const bool folder = path.empty() || path.ends_with('/');
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view segment = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (segment == "..") {
      if (!segments.empty()) segments.pop_back();
    } else if (!segment.empty() && segment != ".") {
      segments.push_back(segment);
    }
  }
  const std::string joined = fmt::format("/{}", fmt::join(segments, "/"));
  return folder && !segments.empty() ? joined + "/" : joined;
}

// Parameters in the order of their names, then of their values, each with "=".
std::string CanonicalQuery(std::string_view query) {
  std::vector<std::pair<std::string_view, std::string_view>> parameters;
  while (!query.empty()) {
    const std::string_view parameter = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(parameter.size() + 1, query.size()));
    const std::size_t equals = std::min(parameter.find('='), parameter.size());
    parameters.emplace_back(parameter.substr(0, equals),
                            equals < parameter.size() ? parameter.substr(equals + 1) : std::string_view());
  }
  std::ranges::sort(parameters);
  std::string out;
  for (const auto& [name, value] : parameters) {
    fmt::format_to(std::back_inserter(out), "{}{}={}", out.empty() ? "" : "&", name, value);
  }
  return out;
}

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// Without spaces around it, and with one where there were several.
std::string Squeeze(std::string_view value) {
  std::string out;
  for (const char c : value) {
    const bool blank = c == ' ' || c == '\t';
    if (blank && (out.empty() || out.back() == ' ')) continue;
    out.push_back(blank ? ' ' : c);
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

// In the order of their names; those with one name joined by commas, in the
// order in which they came.
Fields CanonicalFields(const Fields& fields) {
  Fields canonical;
  for (const auto& [name, value] : fields) canonical.emplace_back(Lower(name), Squeeze(value));
  std::ranges::stable_sort(canonical, {}, &Fields::value_type::first);
  Fields joined;
  for (auto& [name, value] : canonical) {
    if (!joined.empty() && joined.back().first == name) {
      joined.back().second.append(",").append(value);
    } else {
      joined.emplace_back(std::move(name), std::move(value));
    }
  }
  return joined;
}

std::string SignedNames(const Fields& canonical) {
  std::string out;
  for (const auto& [name, value] : canonical) out.append(out.empty() ? "" : ";").append(name);
  return out;
}

std::string CanonicalRequestWith(const SigningRequest& request, const Fields& fields) {
  std::string out = fmt::format("{}\n{}\n{}\n", request.method, EncodePath(NormalizePath(request.path)),
                                CanonicalQuery(request.query));
  for (const auto& [name, value] : fields) out.append(name).append(":").append(value).append("\n");
  return out.append("\n").append(SignedNames(fields)).append("\n").append(Sha256Hex(request.body));
}

}  // namespace

std::string AmzDate(std::int64_t time_ms) {
  const std::time_t seconds = time_ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &parts)};
}

std::string CanonicalRequest(const SigningRequest& request) {
  return CanonicalRequestWith(request, CanonicalFields(request.fields));
}

std::string Authorization(const SigningRequest& request, const Credentials& credentials, const SigningScope& scope,
                          std::string_view amz_date) {
  const Fields fields = CanonicalFields(request.fields);
  const std::string_view day = amz_date.substr(0, 8);
  const std::string path = fmt::format("{}/{}/{}/{}", day, scope.region, scope.service, kTermination);
  const std::string to_sign =
      fmt::format("{}\n{}\n{}\n{}", kAlgorithm, amz_date, path, Sha256Hex(CanonicalRequestWith(request, fields)));
  std::string key = Hmac("AWS4" + credentials.secret_access_key, day);
  key = Hmac(key, scope.region);
  key = Hmac(key, scope.service);
  key = Hmac(key, kTermination);
  return fmt::format("{} Credential={}/{}, SignedHeaders={}, Signature={}", kAlgorithm, credentials.access_key_id, path,
                     SignedNames(fields), Hex(Hmac(key, to_sign)));
}

}  // namespace taula::client
