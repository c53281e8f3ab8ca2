#include "cli/explainer.h"

#include <memory>
#include <optional>

#include "design/explain.h"
#include "server/buffer.h"

namespace taula::cli {
namespace {

constexpr std::string_view kField = "X-Taula-Explain";

// What has to live until the service has answered.
struct Explained {
  design::RawRequest request;
  std::string body;
  server::Responder responder;
};

}  // namespace

void Explainer::Run(api::Service& service, const server::Request& request, server::Responder responder) const {
  auto raw = design::ReadRawRequest(request.operation, request.body);
  // Of operations on tables there is nothing to tell, and those that cannot be
  // read get their error.
  const bool unreadable = !raw;
  auto kept = std::make_shared<Explained>(
      Explained{unreadable ? design::RawRequest{.operation = std::string(request.operation)} : *std::move(raw),
                unreadable ? std::string(request.body) : design::WithAllCapacity(request.body), std::move(responder)});
  const std::size_t size = kept->body.size();
  kept->body.append(server::kBodyPadding, ' ');
  const std::string_view body(kept->body.data(), size);
  const std::string operation(kept->request.operation);
  service.Handle(operation, body, [this, kept](Result<std::string> answer) {
    kept->responder.AddField(kField, design::ExplanationJson(design::Explain(designs_, kept->request, answer)));
    if (!answer) return kept->responder.Fail(answer.error());
    kept->responder.Ok(design::WithoutUnwantedCapacity(*std::move(answer), kept->request.wanted_capacity));
  });
}

}  // namespace taula::cli
