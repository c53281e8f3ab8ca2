// The request line and the header of a request.
#pragma once

#include <boost/beast/http/field.hpp>
#include <boost/beast/http/verb.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace taula::server {

// Views into the buffer that the request was read into.
struct RequestHead {
  using Verb = boost::beast::http::verb;
  using FieldName = boost::beast::http::field;

  struct Field {
    FieldName known;  // FieldName::unknown for the names that HTTP does not register
    std::string_view name;
    std::string_view value;
  };

  Verb method = Verb::unknown;
  std::string_view target;
  std::vector<Field> fields;
  std::optional<std::uint64_t> content_length;
  bool chunked = false;
  bool keep_alive = false;
  bool http11 = false;
  bool explain = false;              // has the field X-Taula-Explain: true
  std::optional<std::size_t> named;  // the place of the field X-Amz-Target

  // What X-Amz-Target says, "DynamoDB_20120810.PutItem"; empty when there is none.
  [[nodiscard]] std::string_view operation() const { return named ? fields[*named].value : std::string_view(); }

  // The first field of that name; nothing when there is none.
  [[nodiscard]] std::optional<std::string_view> Find(FieldName name) const;
  // For names that are not registered; case does not matter.
  [[nodiscard]] std::optional<std::string_view> Find(std::string_view name) const;
  [[nodiscard]] bool Has(FieldName name) const { return Find(name).has_value(); }
  // What Content-Type says before its parameters.
  [[nodiscard]] std::string_view MediaType() const;

  // The bytes moved from one place to another.
  void Rebase(const char* from, const char* to);
};

// What is wrong with a head, as an HTTP status; 0 when nothing is. `bytes` ends
// with the empty line.
[[nodiscard]] int ParseRequestHead(std::string_view bytes, std::size_t fields_max, RequestHead& head);

}  // namespace taula::server
