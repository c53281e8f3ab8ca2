#include "codec/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/base64.h"
#include "base/bytes.h"
#include "codec/json_buffer.h"
#include "value/number.h"

namespace taula::codec {
namespace {

std::string_view TakeCounted(const char*& at) {
  const std::uint32_t length = base::ReadVarint(at);
  const std::string_view bytes(at, length);
  at += length;
  return bytes;
}

// Numbers are text on the wire, and never need escaping.
template <std::size_t kBefore>
void WriteNumber(JsonBuffer& out, const char (&before)[kBefore], std::string_view ordered) {
  out.Literal(before);
  out.WrittenUpTo(value::WriteTextFromOrdered(out.Room(value::kNumberTextBytesMax), ordered));
}

void WriteBinary(JsonBuffer& out, std::string_view bytes) {
  out.Literal("\"");
  out.WrittenUpTo(base::WriteBase64(out.Room(base::Base64EncodedSize(bytes.size())), bytes));
  out.Literal("\"");
}

// The writers below take the encoded bytes as they come (value/encoding.h) and
// return what follows the value, so that nothing is walked twice.

const char* WriteValue(JsonBuffer& out, const char* at);

// A list or a set, whose length in bytes comes first.
template <typename WriteElement>
const char* WriteArray(JsonBuffer& out, const char* at, WriteElement write_element) {
  const char* const end = at + 4 + base::ReadU32(at);
  at += 4;
  out.Literal("[");
  for (bool first = true; at != end; first = false) {
    if (!first) out.Literal(",");
    at = write_element(at);
  }
  out.Literal("]}");
  return at;
}

template <typename WriteElement>
const char* WriteSet(JsonBuffer& out, const char* at, WriteElement write_element) {
  return WriteArray(out, at, [&](const char* element) {
    write_element(TakeCounted(element));
    return element;
  });
}

const char* WriteMembers(JsonBuffer& out, const char* at, const char* end) {
  out.Literal("{");
  for (bool first = true; at != end; first = false) {
    if (!first) out.Literal(",");
    out.Text("\"", TakeCounted(at), "\":");
    at = WriteValue(out, at);
  }
  out.Literal("}");
  return at;
}

const char* WriteContainer(JsonBuffer& out, Type type, const char* at) {
  switch (type) {
    case Type::kStringSet:
      out.Literal(R"({"SS":)");
      return WriteSet(out, at, [&](std::string_view text) { out.Text("\"", text, "\""); });
    case Type::kNumberSet:
      out.Literal(R"({"NS":)");
      return WriteSet(out, at, [&](std::string_view ordered) {
        WriteNumber(out, "\"", ordered);
        out.Literal("\"");
      });
    case Type::kBinarySet:
      out.Literal(R"({"BS":)");
      return WriteSet(out, at, [&](std::string_view bytes) { WriteBinary(out, bytes); });
    case Type::kList:
      out.Literal(R"({"L":)");
      return WriteArray(out, at, [&](const char* element) { return WriteValue(out, element); });
    default:
      out.Literal(R"({"M":)");
      at = WriteMembers(out, at + 4, at + 4 + base::ReadU32(at));
      out.Literal("}");
      return at;
  }
}

const char* WriteValue(JsonBuffer& out, const char* at) {
  const Type type = static_cast<Type>(*at++);
  switch (type) {
    case Type::kNull:
      out.Literal(R"({"NULL":true})");
      return at;
    case Type::kBool:
      *at != 0 ? out.Literal(R"({"BOOL":true})") : out.Literal(R"({"BOOL":false})");
      return at + 1;
    case Type::kNumber: {
      const std::string_view ordered(at, value::Number::OrderedLength({at, value::kOrderedBytesMax}));
      WriteNumber(out, R"({"N":")", ordered);
      out.Literal("\"}");
      return at + ordered.size();
    }
    case Type::kString: {
      out.Text(R"({"S":")", TakeCounted(at), "\"}");
      return at;
    }
    case Type::kBinary:
      out.Literal(R"({"B":)");
      WriteBinary(out, TakeCounted(at));
      out.Literal("}");
      return at;
    default:
      return WriteContainer(out, type, at);
  }
}

}  // namespace

void AppendStringJson(std::string& out, std::string_view text) { JsonBuffer(out).Text("\"", text, "\""); }

void AppendValueJson(std::string& out, ValueView value) {
  JsonBuffer buffer(out);
  WriteValue(buffer, value.encoded().data());
}

void AppendItemJson(std::string& out, MapView attributes) {
  JsonBuffer buffer(out);
  const std::string_view content = attributes.content();
  WriteMembers(buffer, content.data(), content.data() + content.size());
}

void JsonWriter::Begin(char bracket) {
  Separate();
  out_.push_back(bracket);
  needs_comma_ = false;
}

void JsonWriter::End(char bracket) {
  out_.push_back(bracket);
  needs_comma_ = true;
}

JsonWriter& JsonWriter::Key(std::string_view name) {
  Separate();
  AppendStringJson(out_, name);
  out_.push_back(':');
  needs_comma_ = false;
  return *this;
}

void JsonWriter::String(std::string_view text) {
  Separate();
  AppendStringJson(out_, text);
}

void JsonWriter::Integer(std::int64_t number) {
  Separate();
  std::array<char, 20> buffer;
  const auto [end, error] = std::to_chars(buffer.begin(), buffer.end(), number);
  out_.append(buffer.data(), end);
}

void JsonWriter::Boolean(bool truth) {
  Separate();
  out_.append(truth ? "true" : "false");
}

void JsonWriter::Double(double number) {
  Separate();
  std::array<char, 40> buffer;
  const double magnitude = std::fabs(number);
  const bool plain = number == 0 || (magnitude >= 1e-3 && magnitude < 1e7);
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto [end, error] = std::to_chars(buffer.begin(), buffer.end(), number, format);
  std::string_view text(buffer.data(), end);
  const std::string_view significand = text.substr(0, text.find('e'));
  out_.append(significand);
  if (!significand.contains('.')) out_.append(".0");
  if (plain) return;
  // From 1.5e+09 to 1.5E9.
  std::string_view exponent = text.substr(significand.size() + 1);
  out_.push_back('E');
  if (exponent.front() == '-') out_.push_back('-');
  exponent.remove_prefix(exponent[1] == '0' ? 2 : 1);
  out_.append(exponent);
}

void JsonWriter::Binary(std::string_view bytes) {
  Separate();
  JsonBuffer buffer(out_);
  WriteBinary(buffer, bytes);
}

void JsonWriter::Value(ValueView value) {
  Separate();
  AppendValueJson(out_, value);
}

void JsonWriter::Item(MapView attributes) {
  Separate();
  AppendItemJson(out_, attributes);
}

}  // namespace taula::codec
