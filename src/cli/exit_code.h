// How the command ends. Scripts rely on the numbers (docs/server.md).
#pragma once

namespace taula::cli {

enum ExitCode : int {
  kExitOk = 0,
  kExitFailure = 1,       // something that should not happen
  kExitUsage = 2,         // an option that makes no sense
  kExitCannotListen = 3,  // the port is in use, or not ours to take
  kExitNoData = 4,        // the data folder cannot be opened
  kExitDesign = 5,        // a design that cannot be read or laid over the data
  kExitRefused = 6,       // an import that some items were refused of
};

}  // namespace taula::cli
