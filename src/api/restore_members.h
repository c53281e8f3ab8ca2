// What both restores may ask of the new table.
#pragma once

#include "api/constraints.h"
#include "codec/json_request.h"
#include "engine/backups.h"

namespace taula::api {

// Notes what is wrong with the members.
[[nodiscard]] engine::RestoreRequest ReadRestore(const codec::JsonStruct& json, Constraints& constraints);

}  // namespace taula::api
