// How long the members of requests on streams may be.
#pragma once

#include "api/member_bounds.h"

namespace taula::api {

inline constexpr LengthBounds kStreamArnLength{.least = 37, .most = 1024};
inline constexpr LengthBounds kShardIdLength{.least = 28, .most = 65};
inline constexpr LengthBounds kSequenceNumberLength{.least = 21, .most = 40};
inline constexpr LengthBounds kShardIteratorLength{.least = 1, .most = 2048};

}  // namespace taula::api
