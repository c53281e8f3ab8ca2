// AWS JSON 1.0. Times are seconds since 1970.
#pragma once

#include <string_view>

#include "cloudwatch/protocol.h"

namespace taula::cloudwatch {

[[nodiscard]] Outcome<Document> ReadJson(std::string_view body);
[[nodiscard]] HttpAnswer WriteJson(const Document& output);

}  // namespace taula::cloudwatch
