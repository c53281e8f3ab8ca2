#include <string>
#include <vector>

#include "cli/command_line.h"

// How jemalloc keeps to the cache's size: memory that one thread has freed is there
// for all on its processor, and goes back to the system after a second, also when the
// threads that freed it have fallen asleep.
extern "C" const char* const malloc_conf;  // NOLINT(readability-identifier-naming): jemalloc's name
extern "C" const char* const malloc_conf =
    "percpu_arena:percpu,dirty_decay_ms:1000,background_thread:true,max_background_threads:1";

int main(int argc, char** argv) { return taula::cli::Run(std::vector<std::string>(argv + 1, argv + argc)); }
