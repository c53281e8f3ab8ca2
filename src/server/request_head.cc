#include "server/request_head.h"

#include <array>
#include <bit>
#include <boost/beast/core/string.hpp>
#include <charconv>
#include <cstring>

namespace taula::server {
namespace {

namespace http = boost::beast::http;

constexpr int kOk = 0;
constexpr int kBadRequest = 400;
constexpr int kHeaderTooLarge = 431;
constexpr int kNotImplemented = 501;
constexpr int kVersionNotSupported = 505;

boost::beast::string_view ToBeast(std::string_view text) { return {text.data(), text.size()}; }

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return boost::beast::iequals(ToBeast(a), ToBeast(b));
}

// What names of methods and fields are made of (RFC 9110, token).
constexpr auto kTokenBytes = [] {
  std::array<bool, 256> allowed{};
  for (std::size_t c = '0'; c <= '9'; ++c) allowed[c] = true;
  for (std::size_t c = 'A'; c <= 'Z'; ++c) allowed[c] = allowed[c + ('a' - 'A')] = true;
  for (const char c : std::string_view("!#$%&'*+-.^_`|~")) allowed[static_cast<std::uint8_t>(c)] = true;
  return allowed;
}();

bool IsToken(std::string_view text) {
  bool allowed = !text.empty();
  for (const char c : text) allowed &= kTokenBytes[static_cast<std::uint8_t>(c)];
  return allowed;
}

// Where the first control character stands that is not a tab; the text's length
// when there is none.
std::size_t FindControl(std::string_view text) {
  using Vector = std::uint8_t __attribute__((vector_size(16)));
  using Words = std::uint64_t __attribute__((vector_size(16)));
  std::size_t at = 0;
  for (; at + sizeof(Vector) <= text.size(); at += sizeof(Vector)) {
    Vector bytes;
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    const auto found = reinterpret_cast<Words>(((bytes < 0x20) & (bytes != '\t')) | (bytes == 0x7f));
    if (found[0] != 0) return at + static_cast<std::size_t>(std::countr_zero(found[0])) / 8;
    if (found[1] != 0) return at + 8 + static_cast<std::size_t>(std::countr_zero(found[1])) / 8;
  }
  for (; at < text.size(); ++at) {
    const auto byte = static_cast<std::uint8_t>(text[at]);
    if ((byte < 0x20 && byte != '\t') || byte == 0x7f) break;
  }
  return at;
}

std::string_view Trim(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Reads a head strictly: what a proxy in front may have read differently is
// refused, for whoever disagrees about where a request ends can be made to see
// other requests (RFC 9112, request smuggling).
class HeadReader {
 public:
  HeadReader(std::size_t fields_max, RequestHead& head) : fields_max_(fields_max), head_(head) {}

  int Read(std::string_view bytes) {
    std::string_view line;
    if (!TakeLine(bytes, line)) return kBadRequest;
    if (const int status = ReadRequestLine(line); status != kOk) return status;
    while (true) {
      if (!TakeLine(bytes, line)) return kBadRequest;
      if (line.empty()) break;
      if (const int status = ReadField(line); status != kOk) return status;
    }
    return bytes.empty() ? Conclude() : kBadRequest;
  }

 private:
  // No line has a control character in it: above all none that ends a line for
  // some readers and not for others.
  static bool TakeLine(std::string_view& bytes, std::string_view& line) {
    const std::size_t end = FindControl(bytes);
    if (!bytes.substr(end).starts_with("\r\n")) return false;
    line = bytes.substr(0, end);
    bytes.remove_prefix(end + 2);
    return true;
  }

  int ReadRequestLine(std::string_view line) {
    const std::size_t method_end = line.find(' ');
    const std::size_t target_end = line.rfind(' ');
    if (method_end == std::string_view::npos || target_end <= method_end + 1) return kBadRequest;
    const std::string_view method = line.substr(0, method_end);
    head_.target = line.substr(method_end + 1, target_end - method_end - 1);
    if (!IsToken(method) || head_.target.find_first_of(" \t") != std::string_view::npos) return kBadRequest;
    head_.method = method == "POST" ? http::verb::post : http::string_to_verb(ToBeast(method));
    const std::string_view version = line.substr(target_end + 1);
    head_.http11 = version == "HTTP/1.1";
    return head_.http11 || version == "HTTP/1.0" ? kOk : kVersionNotSupported;
  }

  int ReadField(std::string_view line) {
    const std::size_t colon = line.find(':');
    // A line that goes on with the field before it begins with a space, which
    // no name has.
    if (colon == std::string_view::npos || !IsToken(line.substr(0, colon))) return kBadRequest;
    if (head_.fields.size() == fields_max_) return kHeaderTooLarge;
    const std::string_view name = line.substr(0, colon);
    const RequestHead::Field& field =
        head_.fields.emplace_back(RequestHead::Field{KnownName(name), name, Trim(line.substr(colon + 1))});
    if (field.known == http::field::unknown) return NoteOwnName(field);
    return NoteFraming(field);
  }

  // Amazon's own names, a third of a request's, are not worth the search.
  static http::field KnownName(std::string_view name) {
    const bool is_own = name.size() > 2 && (name[0] == 'x' || name[0] == 'X') && name[1] == '-';
    return is_own ? http::field::unknown : http::string_to_field(ToBeast(name));
  }

  // Noted here, where it takes no search of its own.
  int NoteOwnName(const RequestHead::Field& field) {
    const auto is = [&](std::string_view name) {
      return field.name.size() == name.size() && EqualsIgnoringCase(field.name, name);
    };
    if (!head_.named && is("X-Amz-Target")) {
      head_.named = head_.fields.size() - 1;
    } else if (is("X-Taula-Explain")) {
      head_.explain = EqualsIgnoringCase(field.value, "true");
    }
    return kOk;
  }

  int NoteFraming(const RequestHead::Field& field) {
    switch (field.known) {
      case http::field::host:
        return std::exchange(host_, true) ? kBadRequest : kOk;
      case http::field::content_length:
        return ReadContentLength(field.value);
      case http::field::transfer_encoding:
        unknown_coding_ |= !EqualsIgnoringCase(field.value, "chunked");
        return std::exchange(head_.chunked, true) ? kBadRequest : kOk;
      case http::field::connection:
      case http::field::proxy_connection:
        return ReadConnection(field.value);
      default:
        return kOk;
    }
  }

  int ReadContentLength(std::string_view text) {
    std::uint64_t length = 0;
    const char* const end = text.data() + text.size();
    const auto [parsed_end, error] = std::from_chars(text.data(), end, length);
    if (error != std::errc() || parsed_end != end || head_.content_length) return kBadRequest;
    head_.content_length = length;
    return kOk;
  }

  int ReadConnection(std::string_view list) {
    while (true) {
      const std::size_t comma = list.find(',');
      const std::string_view option = Trim(list.substr(0, comma));
      close_ |= EqualsIgnoringCase(option, "close");
      keep_alive_ |= EqualsIgnoringCase(option, "keep-alive");
      if (!option.empty() && !IsToken(option)) return kBadRequest;
      if (comma == std::string_view::npos) return kOk;
      list.remove_prefix(comma + 1);
    }
  }

  int Conclude() {
    if (head_.chunked && (head_.content_length || !head_.http11)) return kBadRequest;
    if (head_.http11 && !host_) return kBadRequest;
    if (unknown_coding_) return kNotImplemented;
    head_.keep_alive = !close_ && (head_.http11 || keep_alive_);
    return kOk;
  }

  const std::size_t fields_max_;
  RequestHead& head_;
  bool host_ = false;
  bool unknown_coding_ = false;
  bool close_ = false;
  bool keep_alive_ = false;
};

}  // namespace

std::optional<std::string_view> RequestHead::Find(FieldName name) const {
  for (const Field& field : fields) {
    if (field.known == name) return field.value;
  }
  return std::nullopt;
}

std::optional<std::string_view> RequestHead::Find(std::string_view name) const {
  for (const Field& field : fields) {
    if (field.known == FieldName::unknown && field.name.size() == name.size() && EqualsIgnoringCase(field.name, name)) {
      return field.value;
    }
  }
  return std::nullopt;
}

std::string_view RequestHead::MediaType() const {
  std::string_view value = Find(FieldName::content_type).value_or(std::string_view());
  value = value.substr(0, value.find(';'));
  const std::size_t last = value.find_last_not_of(" \t");
  return last == std::string_view::npos ? std::string_view() : value.substr(0, last + 1);
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
  head.fields.clear();
  head.content_length.reset();
  head.chunked = false;
  head.keep_alive = false;
  head.explain = false;
  head.named.reset();
  return HeadReader(fields_max, head).Read(bytes);
}

}  // namespace taula::server
