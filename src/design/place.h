// Where in a design's file something stands.
#pragma once

namespace taula::design {

struct Place {
  int line = 0;  // from 1; 0 when it is nowhere in the file
  int column = 0;

  friend auto operator<=>(const Place&, const Place&) = default;
};

}  // namespace taula::design
