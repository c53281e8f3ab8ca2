#include "value/encoding.h"

#include "value/number.h"

namespace taula::value {

const char* SkipValue(const char* at) {
  switch (static_cast<Type>(*at++)) {
    case Type::kNull:
      return at;
    case Type::kBool:
      return at + 1;
    case Type::kNumber:
      return at + Number::OrderedLength({at, kOrderedBytesMax});
    case Type::kString:
    case Type::kBinary: {
      const std::uint32_t length = base::ReadVarint(at);
      return at + length;
    }
    default:
      return at + 4 + base::ReadU32(at);
  }
}

void AppendNull(std::string& out) { out.push_back(static_cast<char>(Type::kNull)); }

void AppendBool(std::string& out, bool truth) {
  out.push_back(static_cast<char>(Type::kBool));
  out.push_back(truth ? 1 : 0);
}

void AppendString(std::string& out, std::string_view text) {
  if (text.size() < 0x80) {
    const char head[] = {static_cast<char>(Type::kString), static_cast<char>(text.size())};
    out.append(head, sizeof(head)).append(text);
    return;
  }
  out.push_back(static_cast<char>(Type::kString));
  AppendName(out, text);
}

void AppendBinary(std::string& out, std::string_view bytes) {
  out.push_back(static_cast<char>(Type::kBinary));
  AppendName(out, bytes);
}

void AppendNumber(std::string& out, std::string_view ordered) {
  out.push_back(static_cast<char>(Type::kNumber));
  out.append(ordered);
}

std::size_t BeginContainer(std::string& out, Type type) {
  out.push_back(static_cast<char>(type));
  base::AppendU32(out, 0);
  return out.size();
}

void EndContainer(std::string& out, std::size_t begin) {
  const auto length = static_cast<std::uint32_t>(out.size() - begin);
  std::memcpy(out.data() + begin - 4, &length, 4);
}

void AppendSetElement(std::string& out, std::string_view element) { AppendName(out, element); }

void AppendName(std::string& out, std::string_view name) {
  base::AppendVarint(out, static_cast<std::uint32_t>(name.size()));
  out.append(name);
}

}  // namespace taula::value
