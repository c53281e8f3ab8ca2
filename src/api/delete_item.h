// DeleteItem, in process.
#pragma once

#include "api/item_write.h"

namespace taula::api {

void DeleteItem(Context& context, DeleteItemRequest request, WriteItemDone done);

}  // namespace taula::api
