// AWS Query: the names of a form say where in the input each value belongs
// (MetricDataQueries.member.1.MetricStat.Period=60), and the answer is XML.
#pragma once

#include <string_view>

#include "cloudwatch/protocol.h"

namespace taula::cloudwatch {

// Whether it is a form of CloudWatch, and not of one of Amazon's other services.
[[nodiscard]] bool IsQueryForm(std::string_view body);
[[nodiscard]] Outcome<Call> ReadForm(std::string_view body);

[[nodiscard]] HttpAnswer WriteXml(std::string_view operation, const Document& output);
[[nodiscard]] HttpAnswer WriteXmlFault(const Fault& fault);

}  // namespace taula::cloudwatch
