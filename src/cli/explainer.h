// Runs operations whose callers want them explained (X-Taula-Explain: true).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "api/operations.h"
#include "design/match.h"
#include "server/handler.h"

namespace taula::cli {

class Explainer {
 public:
  explicit Explainer(std::vector<design::ServedDesign> designs) : designs_(std::move(designs)) {}

  // Answers as the service does, with the explanation in the header. The
  // explainer must live until then.
  void Run(api::Service& service, const server::Request& request, server::Responder responder) const;

 private:
  const std::vector<design::ServedDesign> designs_;
};

}  // namespace taula::cli
