// What the operations on Kinesis destinations have in common: which table and
// which stream, and a configuration under a name of each operation's own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/constraints.h"
#include "api/operation.h"
#include "codec/json_request.h"
#include "taula/error.h"

namespace taula::api {

struct KinesisBody {
  std::optional<std::string> name_or_arn;
  std::string stream_arn;
  std::optional<std::string> precision;  // of the configuration, if it has one
  Constraints constraints;
};

// `configuration` is the member's name, in PascalCase.
[[nodiscard]] KinesisBody ReadKinesisBody(const codec::JsonStruct& json, const std::string& configuration);

// The name of the table, once the request has the shape it should have.
[[nodiscard]] Result<std::string> CheckKinesisBody(const Context& context, const KinesisBody& body);

// The answer: what is asked for, under way. The configuration is left out of it
// without a name.
[[nodiscard]] std::string KinesisAnswer(const std::string& table, const KinesisBody& body, std::string_view status,
                                        std::string_view configuration);

}  // namespace taula::api
