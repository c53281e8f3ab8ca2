// Access to the members of a request's input, whatever protocol it came in.
//
// A getter answers nothing for a member that is absent or empty, and also for one
// of the wrong type; the first of those is kept as the fault to answer with. So a
// reader asks for all it wants, and looks once, at its end, whether that failed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cloudwatch/document.h"
#include "cloudwatch/fault.h"

namespace taula::cloudwatch {

class Input {
 public:
  // Both must outlive it.
  Input(const Document& document, std::optional<Fault>& fault) : document_(&document), fault_(&fault) {}

  [[nodiscard]] std::optional<std::string> Text(std::string_view name) const;
  [[nodiscard]] std::optional<std::int64_t> Integer(std::string_view name) const;
  [[nodiscard]] std::optional<bool> Boolean(std::string_view name) const;
  // Milliseconds since 1970.
  [[nodiscard]] std::optional<std::int64_t> Time(std::string_view name) const;
  [[nodiscard]] std::optional<Input> Struct(std::string_view name) const;
  [[nodiscard]] std::vector<Input> Structs(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> Texts(std::string_view name) const;

 private:
  [[nodiscard]] const Document::List* List(std::string_view name) const;
  std::nullopt_t Wrong(std::string_view name, std::string_view wanted) const;

  const Document* document_;
  std::optional<Fault>* fault_;
};

// "2026-02-11T00:00:00Z", with or without parts of a second, in any zone.
[[nodiscard]] std::optional<std::int64_t> ParseTime(std::string_view text);

}  // namespace taula::cloudwatch
