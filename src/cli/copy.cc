// `taula copy`: tables from one server to another.
#include <memory>

#include "cli/commands.h"
#include "cli/copy_run.h"

namespace taula::cli {
namespace {

constexpr const char* kExamples =
    "\nExamples:\n"
    "  taula copy --from http://localhost:8000 --to http://localhost:8001 orders\n"
    "  taula copy --from https://dynamodb.eu-west-1.amazonaws.com --to http://localhost:8000 --all --no-follow\n"
    "  taula copy --from http://localhost:8000 --to https://dynamodb.eu-west-1.amazonaws.com \\\n"
    "             --to-profile prod --rate 500 --verify 'shop-*'\n"
    "  taula copy --from http://localhost:8000 --to http://localhost:8000 orders --as orders-copy --no-follow\n"
    "\nTables are made like the source's, filled, and kept up to date through the source's stream until Ctrl-C: then\n"
    "what is left in the stream is taken over, and the application can be pointed at the target. A copy that was\n"
    "interrupted goes on with the same command.\n";

void AddServer(CLI::App& command, CopyServer& server, const std::string& name, const std::string& which) {
  command.add_option("--" + name, server.endpoint, "Server to copy " + which + ", Amazon's or any that speaks its API")
      ->required()
      ->type_name("URL");
  command.add_option("--" + name + "-region", server.region, "Region to sign for there, if not the usual one")
      ->type_name("NAME");
  command.add_option("--" + name + "-profile", server.profile, "Profile of ~/.aws with the credentials for it")
      ->type_name("NAME");
}

}  // namespace

void AddCopyCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("copy", "Move tables to another server while they are in use");
  const auto options = std::make_shared<CopyOptions>();
  command->add_option("tables", options->tables, "The tables, by name or pattern ('prod-*')")->type_name("TABLE…");
  AddServer(*command, options->from, "from", "from");
  AddServer(*command, options->to, "to", "to");
  command->add_flag("--all", options->all, "All tables of the source");
  command->add_option("--as", options->as, "Another name for the copy of a single table")->type_name("NAME");
  command->add_option("--prefix", options->prefix, "Text before the names of the copies")->type_name("TEXT");
  command->add_flag("--no-follow", options->no_follow, "Copy what is there, and not what changes meanwhile");
  command->add_flag("--until-caught-up", options->until_caught_up, "End when no more changes come, not with Ctrl-C");
  command
      ->add_option("--settle", options->settle_seconds,
                   "How long no change must have come before the stream counts as read to its end")
      ->check(CLI::Range(0.0, 3600.0))
      ->type_name("SECONDS")
      ->default_str("3");
  command->add_flag("--yes", options->yes, "Turn on streams at the source where it takes one to follow changes");
  command->add_flag("--into-existing", options->into_existing, "Copy into tables that the target has already");
  command->add_flag("--verify", options->verify, "Compare both tables at the end, item by item");
  command->add_flag("--dry-run", options->dry_run, "Say what would be made, and do nothing");
  command->add_option("--rate", options->rate, "Write units a second to take at the target, at most")
      ->check(CLI::PositiveNumber)
      ->type_name("UNITS");
  command->add_option("--parallel", options->calls_in_flight, "Requests in flight at each server")
      ->check(CLI::Range(1, 64))
      ->type_name("NUMBER")
      ->default_str("8");
  command
      ->add_option("--state", options->state_folder,
                   "Folder that remembers how far copies are (default: taula in $XDG_STATE_HOME or ~/.local/state)")
      ->type_name("FOLDER");
  command->add_flag("--quiet", options->quiet, "Say nothing when all goes well");
  command->footer(kExamples);
  command->callback([options, &exit_code] { exit_code = RunCopy(*options); });
}

}  // namespace taula::cli
