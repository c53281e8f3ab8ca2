// The designs that a server keeps, over HTTP (docs/designs.md):
//
//   GET  /designs                     which there are
//   GET  /designs/NAME                tables, entities, operations
//   GET  /designs/NAME/openapi.json   for clients to be made from
//   POST /designs/NAME/OPERATION      runs an operation
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/blocking_worker.h"
#include "design/model.h"
#include "design/run.h"
#include "server/route.h"

namespace taula::cli {

class DesignRoutes final : public server::RouteHandler {
 public:
  // All must live as long as the routes. An empty stage is each design's own.
  // As many operations as `threads_max` run at a time.
  DesignRoutes(const std::vector<const design::Design*>& designs, const std::string& stage, design::Backend& backend,
               std::size_t threads_max);

  [[nodiscard]] std::string_view prefix() const override { return "/designs"; }
  [[nodiscard]] std::size_t body_bytes_max() const override { return std::size_t{1} << 20; }
  void Handle(const server::RouteRequest& request, server::RouteResponder responder) override;

  // Answers the requests that wait, and takes no more. To be called before the
  // backend goes.
  void Finish() { worker_.Finish(); }

 private:
  // What is asked of a design is the same each time, so it is written once.
  struct Served {
    const design::Design* design;
    design::Runner runner;
    std::string summary;
    std::string openapi;
  };

  [[nodiscard]] const Served* Find(std::string_view name) const;
  void Run(const Served& served, std::string_view operation, const server::RouteRequest& request,
           server::RouteResponder responder);

  std::vector<std::unique_ptr<const Served>> served_;
  std::string list_;
  BlockingWorker worker_;
};

}  // namespace taula::cli
