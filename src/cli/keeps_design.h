// Whether a server that speaks DynamoDB's API is a Taula that keeps a design.
#pragma once

#include <string>

#include "client/url.h"
#include "design/model.h"

namespace taula::cli {

// Asks it. One that keeps the design on these tables keeps unique values itself,
// and takes no guard items for them.
[[nodiscard]] bool KeepsDesign(const design::Design& design, const std::string& stage, const client::Url& url);

}  // namespace taula::cli
