#include "engine/encryption_rules.h"

#include "engine/index_rules.h"

namespace taula::engine {

Result<void> CheckEncryption(const std::optional<EncryptionSpecification>& encryption) {
  if (!encryption) return {};
  if (encryption->enabled == false) {
    if (encryption->type) return InvalidParameter("SSEType can not be specified if Enabled is false");
    if (encryption->kms_key) return InvalidParameter("KMSMasterKeyId can not be specified if Enabled is false");
    return {};
  }
  if (encryption->type == "AES256") return InvalidParameter("SSEType AES256 is not supported");
  if (encryption->kms_key && !encryption->type) {
    return InvalidParameter("SSEType KMS is required if KMSMasterKeyId is specified");
  }
  return {};
}

bool AsksForKey(const EncryptionSpecification& encryption) {
  return encryption.enabled.value_or(encryption.type.has_value());
}

}  // namespace taula::engine
