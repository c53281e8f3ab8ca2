#include "server/request_head.h"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

namespace taula::server {
namespace {

namespace http = boost::beast::http;
using boost::system::error_code;

std::string_view ToStd(boost::beast::string_view text) { return {text.data(), text.size()}; }

// Beast's parser, made to collect views instead of copies.
class HeadParser final : public http::basic_parser<true> {
 public:
  HeadParser(std::size_t bytes, std::size_t fields_max, RequestHead& head) : fields_max_(fields_max), head_(head) {
    header_limit(static_cast<std::uint32_t>(bytes));
    body_limit(boost::none);
  }

  [[nodiscard]] bool too_many_fields() const { return too_many_fields_; }
  [[nodiscard]] bool unknown_coding() const { return unknown_coding_; }

 private:
  void on_request_impl(http::verb method, boost::beast::string_view, boost::beast::string_view target, int version,
                       error_code&) override {
    head_.method = method;
    head_.target = ToStd(target);
    head_.http11 = version == 11;
  }

  void on_field_impl(http::field known, boost::beast::string_view name, boost::beast::string_view value,
                     error_code& error) override {
    if (known == http::field::host && head_.Has(known)) {
      error = http::error::bad_field;
      return;
    }
    if (head_.fields.size() == fields_max_) {
      too_many_fields_ = true;
      error = http::error::header_limit;
      return;
    }
    if (known == http::field::transfer_encoding && !boost::beast::iequals(value, "chunked")) {
      unknown_coding_ = true;
      error = http::error::bad_transfer_encoding;
      return;
    }
    head_.fields.push_back({known, ToStd(name), ToStd(value)});
  }

  // Only the head is ever put into this parser.
  void on_header_impl(error_code&) override {}
  void on_response_impl(int, boost::beast::string_view, int, error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(boost::beast::string_view, error_code&) override { return 0; }
  void on_chunk_header_impl(std::uint64_t, boost::beast::string_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, boost::beast::string_view, error_code&) override { return 0; }
  void on_finish_impl(error_code&) override {}

  std::size_t fields_max_;
  RequestHead& head_;
  bool too_many_fields_ = false;
  bool unknown_coding_ = false;
};

// A line that goes on with the field before it. RFC 9112 asks servers to refuse
// this: who reads it differently than a proxy in front sees other requests.
// Beast unfolds it into memory of its own, which views must not refer to.
bool HasFoldedLine(std::string_view head) {
  for (std::size_t end = head.find('\n'); end != head.npos && end + 1 < head.size(); end = head.find('\n', end + 1)) {
    if (head[end + 1] == ' ' || head[end + 1] == '\t') return true;
  }
  return false;
}

}  // namespace

std::optional<std::string_view> RequestHead::Find(FieldName name) const {
  for (const Field& field : fields) {
    if (field.known == name) return field.value;
  }
  return std::nullopt;
}

std::optional<std::string_view> RequestHead::Find(std::string_view name) const {
  for (const Field& field : fields) {
    if (field.known == FieldName::unknown && field.name.size() == name.size() &&
        boost::beast::iequals({field.name.data(), field.name.size()}, {name.data(), name.size()})) {
      return field.value;
    }
  }
  return std::nullopt;
}

void RequestHead::Rebase(const char* from, const char* to) {
  const auto move = [&](std::string_view& view) { view = {to + (view.data() - from), view.size()}; };
  move(target);
  for (Field& field : fields) {
    move(field.name);
    if (!field.value.empty()) move(field.value);
  }
}

int ParseRequestHead(std::string_view bytes, std::size_t fields_max, RequestHead& head) {
  constexpr int kBadRequest = 400;
  constexpr int kHeaderTooLarge = 431;
  constexpr int kNotImplemented = 501;
  constexpr int kVersionNotSupported = 505;

  head.fields.clear();
  if (HasFoldedLine(bytes)) return kBadRequest;
  HeadParser parser(bytes.size(), fields_max, head);
  error_code error;
  const std::size_t used = parser.put({bytes.data(), bytes.size()}, error);
  if (parser.too_many_fields()) return kHeaderTooLarge;
  if (parser.unknown_coding()) return kNotImplemented;
  if (error == http::error::bad_version) return kVersionNotSupported;
  if (error || used != bytes.size() || !parser.is_header_done()) return kBadRequest;

  head.chunked = parser.chunked();
  head.keep_alive = parser.keep_alive();
  head.content_length.reset();
  if (const auto length = parser.content_length()) head.content_length = *length;
  if (head.chunked && !head.http11) return kBadRequest;
  if (head.http11 && !head.Has(RequestHead::FieldName::host)) return kBadRequest;
  return 0;
}

}  // namespace taula::server
