// When a write counts as done.
#pragma once

namespace taula {

enum class Durability {
  kSync,     // once it is on the disk: it survives a power cut
  kRelaxed,  // once the operating system has it: it survives the end of the process, not a power cut
};

}  // namespace taula
