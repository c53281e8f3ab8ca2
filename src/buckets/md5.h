// MD5, which manifests name files by. Not for anything secret.
#pragma once

#include <openssl/evp.h>

#include <memory>
#include <string>
#include <string_view>

namespace taula::buckets {

class Md5 {
 public:
  Md5() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) { EVP_DigestInit_ex(context_.get(), EVP_md5(), nullptr); }

  void Add(std::string_view bytes) { EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()); }

  // The sixteen bytes. Nothing can be added afterwards.
  [[nodiscard]] std::string Finish() {
    std::string digest(16, '\0');
    EVP_DigestFinal_ex(context_.get(), reinterpret_cast<unsigned char*>(digest.data()), nullptr);
    return digest;
  }

  [[nodiscard]] static std::string Of(std::string_view bytes) {
    Md5 md5;
    md5.Add(bytes);
    return md5.Finish();
  }

 private:
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context_;
};

}  // namespace taula::buckets
