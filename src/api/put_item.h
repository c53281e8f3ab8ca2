// PutItem, in process.
#pragma once

#include "api/item_write.h"

namespace taula::api {

void PutItem(Context& context, PutItemRequest request, WriteItemDone done);

}  // namespace taula::api
