// UpdateItem, in process.
#pragma once

#include "api/item_write.h"

namespace taula::api {

void UpdateItem(Context& context, UpdateItemRequest request, WriteItemDone done);

}  // namespace taula::api
