#include "cloudwatch/query_protocol.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <charconv>
#include <map>
#include <memory>
#include <utility>

#include "base/random_id.h"
#include "base/timestamp.h"
#include "codec/json_writer.h"

namespace taula::cloudwatch {
namespace {

constexpr std::string_view kNamespace = "http://monitoring.amazonaws.com/doc/2010-08-01/";
constexpr std::size_t kFieldsMax = 50'000;

// ---- Reading

std::optional<unsigned> HexDigit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

std::optional<std::string> DecodePercent(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out.push_back(' ');
    } else if (text[i] != '%') {
      out.push_back(text[i]);
    } else {
      if (i + 2 >= text.size()) return std::nullopt;
      const auto high = HexDigit(text[i + 1]);
      const auto low = HexDigit(text[i + 2]);
      if (!high || !low) return std::nullopt;
      out.push_back(static_cast<char>(*high << 4 | *low));
      i += 2;
    }
  }
  return out;
}

// The tree that the dots in the names make.
struct Branch {
  std::optional<std::string> value;
  std::map<std::string, std::unique_ptr<Branch>, std::less<>> children;

  [[nodiscard]] Branch& Child(std::string_view name) {
    auto found = children.find(name);
    if (found == children.end()) found = children.emplace(std::string(name), std::make_unique<Branch>()).first;
    return *found->second;
  }
};

// Goes down to where a name belongs; nothing when that is too deep.
Branch* Descend(Branch& root, std::string_view name) {
  // A list takes two levels of the name.
  constexpr std::size_t kPartsMax = 2 * kDepthMax;
  Branch* at = &root;
  for (std::size_t parts = 0; parts < kPartsMax; ++parts) {
    const std::size_t dot = name.find('.');
    at = &at->Child(name.substr(0, dot));
    if (dot == std::string_view::npos) return at;
    name.remove_prefix(dot + 1);
  }
  return nullptr;
}

Document ToDocument(const Branch& branch);

Document ToList(const Branch& elements) {
  std::map<std::uint64_t, const Branch*> in_order;
  for (const auto& [number, element] : elements.children) {
    std::uint64_t place = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), place);
    if (error == std::errc() && end == number.data() + number.size()) in_order[place] = element.get();
  }
  Document::List list;
  for (const auto& [place, element] : in_order) list.push_back(ToDocument(*element));
  return {std::move(list)};
}

Document ToDocument(const Branch& branch) {
  if (branch.children.empty()) return {Document::Raw{branch.value.value_or("")}};
  if (const auto member = branch.children.find("member"); member != branch.children.end()) {
    return ToList(*member->second);
  }
  Document::Struct members;
  for (const auto& [name, child] : branch.children) members.push_back({name, ToDocument(*child)});
  return {std::move(members)};
}

// Calls `visit` with each name and value, still encoded, until it returns false.
template <typename Visit>
bool ForEachField(std::string_view body, Visit visit) {
  while (!body.empty()) {
    const std::string_view field = body.substr(0, body.find('&'));
    body.remove_prefix(std::min(field.size() + 1, body.size()));
    if (field.empty()) continue;
    const std::size_t equals = std::min(field.find('='), field.size());
    if (!visit(field.substr(0, equals), field.substr(std::min(equals + 1, field.size())))) return false;
  }
  return true;
}

std::unexpected<Fault> MalformedForm() {
  return std::unexpected(Fault{"MalformedQueryString", "com.amazon.coral.service#MalformedQueryStringException",
                               "The query string contains a syntax error."});
}

// ---- Writing

void AppendText(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '&':
        out.append("&amp;");
        break;
      case '<':
        out.append("&lt;");
        break;
      case '>':
        out.append("&gt;");
        break;
      case '"':
        out.append("&quot;");
        break;
      case '\r':
        out.append("&#xD;");
        break;
      default:
        // XML has no way to write the other control characters.
        out.push_back(static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' ? '?' : c);
    }
  }
}

void AppendElement(std::string& out, std::string_view name, const Document& document);

struct ContentWriter {
  std::string& out;

  void operator()(const Document::Null&) const {}
  void operator()(const Document::Raw& raw) const { AppendText(out, raw.text); }
  void operator()(const std::string& text) const { AppendText(out, text); }
  void operator()(std::int64_t number) const { fmt::format_to(std::back_inserter(out), "{}", number); }
  void operator()(double number) const { codec::JsonWriter(out).Double(number); }
  void operator()(bool truth) const { out.append(truth ? "true" : "false"); }
  void operator()(const Document::Time& time) const {
    out.append(time.ms % 1000 == 0 ? base::IsoTimestampSeconds(time.ms) : base::IsoTimestamp(time.ms));
  }
  void operator()(const Document::List& list) const {
    for (const Document& each : list) AppendElement(out, "member", each);
  }
  void operator()(const Document::Struct& members) const {
    for (const Member& each : members) AppendElement(out, each.name, each.value);
  }
  void operator()(const Document::Map& map) const {
    for (const Member& each : map.entries) {
      out.append("<entry>");
      AppendElement(out, "key", {each.name});
      AppendElement(out, "value", each.value);
      out.append("</entry>");
    }
  }
};

void AppendElement(std::string& out, std::string_view name, const Document& document) {
  out.append("<").append(name).append(">");
  std::visit(ContentWriter{out}, document.value);
  out.append("</").append(name).append(">");
}

}  // namespace

bool IsQueryForm(std::string_view body) {
  return !ForEachField(
      body, [](std::string_view name, std::string_view value) { return !(name == "Version" && value == kVersion); });
}

Outcome<Call> ReadForm(std::string_view body) {
  Branch root;
  std::size_t fields = 0;
  const bool read = ForEachField(body, [&](std::string_view name, std::string_view value) {
    const auto decoded_name = DecodePercent(name);
    auto decoded_value = DecodePercent(value);
    if (!decoded_name || !decoded_value || ++fields > kFieldsMax) return false;
    if (!simdjson::validate_utf8(*decoded_name) || !simdjson::validate_utf8(*decoded_value)) return false;
    Branch* const branch = Descend(root, *decoded_name);
    if (branch != nullptr) branch->value = *std::move(decoded_value);
    return branch != nullptr;
  });
  if (!read) return MalformedForm();
  const auto action = root.children.find("Action");
  if (action == root.children.end() || !action->second->value) {
    return std::unexpected(
        Fault{"MissingAction", "com.amazon.coral.service#MissingActionException", "Missing Action", 400});
  }
  std::string operation = *action->second->value;
  root.children.erase("Action");
  root.children.erase("Version");
  Document input = root.children.empty() ? Document{Document::Struct()} : ToDocument(root);
  return Call{std::move(operation), std::move(input)};
}

HttpAnswer WriteXml(std::string_view operation, const Document& output) {
  HttpAnswer answer{.content_type = "text/xml"};
  std::string& out = answer.body;
  fmt::format_to(std::back_inserter(out), "<{}Response xmlns=\"{}\">", operation, kNamespace);
  AppendElement(out, fmt::format("{}Result", operation), output);
  fmt::format_to(std::back_inserter(out),
                 "<ResponseMetadata><RequestId>{}</RequestId></ResponseMetadata></{}Response>\n", base::UuidV4(),
                 operation);
  return answer;
}

HttpAnswer WriteXmlFault(const Fault& fault) {
  HttpAnswer answer{.status = fault.status, .content_type = "text/xml"};
  std::string& out = answer.body;
  fmt::format_to(std::back_inserter(out), "<ErrorResponse xmlns=\"{}\"><Error><Type>{}</Type><Code>{}</Code><Message>",
                 kNamespace, fault.status < 500 ? "Sender" : "Receiver", fault.code);
  AppendText(out, fault.message);
  fmt::format_to(std::back_inserter(out), "</Message></Error><RequestId>{}</RequestId></ErrorResponse>\n",
                 base::UuidV4());
  return answer;
}

}  // namespace taula::cloudwatch
