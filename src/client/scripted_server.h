// For tests: a server on this machine that answers each request with whatever
// bytes the test says, plain or through TLS.
#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <atomic>
#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace taula::client {

// A certificate that nobody has signed but itself, and its key, as PEM.
struct TestCertificate {
  explicit TestCertificate(const std::string& names) {
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> pair(EVP_EC_gen("P-256"), EVP_PKEY_free);
    const std::unique_ptr<X509, decltype(&X509_free)> x509(X509_new(), X509_free);
    X509_set_version(x509.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(x509.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(x509.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(x509.get()), 3600);
    X509_set_pubkey(x509.get(), pair.get());
    X509_NAME* const name = X509_get_subject_name(x509.get());
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
    X509_set_issuer_name(x509.get(), name);
    X509_EXTENSION* const alternative = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str());
    X509_add_ext(x509.get(), alternative, -1);
    X509_EXTENSION_free(alternative);
    X509_sign(x509.get(), pair.get(), EVP_sha256());
    certificate = Pem([&](BIO* out) { PEM_write_bio_X509(out, x509.get()); });
    key = Pem([&](BIO* out) { PEM_write_bio_PrivateKey(out, pair.get(), nullptr, nullptr, 0, nullptr, nullptr); });
  }

  std::string certificate;
  std::string key;

 private:
  template <typename Write>
  static std::string Pem(Write write) {
    const std::unique_ptr<BIO, decltype(&BIO_free)> out(BIO_new(BIO_s_mem()), BIO_free);
    write(out.get());
    char* data = nullptr;
    const long size = BIO_get_mem_data(out.get(), &data);
    return {data, static_cast<std::size_t>(size)};
  }
};

class ScriptedServer {
 public:
  // The bytes to answer a request with (head and body of it are given), and
  // whether the connection ends then.
  struct Answer {
    std::string bytes;
    bool close = false;
  };
  using Script = std::function<Answer(const std::string& request)>;

  explicit ScriptedServer(Script script, const TestCertificate* certificate = nullptr)
      : script_(std::move(script)), acceptor_(io_, {boost::asio::ip::address_v4::loopback(), 0}) {
    if (certificate != nullptr) {
      tls_ = std::make_unique<boost::asio::ssl::context>(boost::asio::ssl::context::tls_server);
      tls_->use_certificate_chain(boost::asio::buffer(certificate->certificate));
      tls_->use_private_key(boost::asio::buffer(certificate->key), boost::asio::ssl::context::pem);
    }
    thread_ = std::thread([this] { Accept(); });
  }
  ~ScriptedServer() {
    stopping_ = true;
    boost::system::error_code ignored;
    boost::asio::ip::tcp::socket wake(io_);
    wake.connect(acceptor_.local_endpoint(), ignored);
    thread_.join();
    for (const auto& socket : sockets_) ::shutdown(socket->native_handle(), SHUT_RDWR);
    for (auto& thread : threads_) thread.join();
  }
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  [[nodiscard]] std::string Address(const std::string& host = "127.0.0.1") const {
    return (tls_ ? "https://" : "http://") + host + ":" + std::to_string(acceptor_.local_endpoint().port());
  }
  [[nodiscard]] int connections() const { return connections_; }
  [[nodiscard]] int requests() const { return requests_; }

  static std::string Response(int status, const std::string& body, const std::string& fields = "") {
    return "HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
           fields + "\r\n" + body;
  }

 private:
  using Socket = boost::asio::ip::tcp::socket;

  void Accept() {
    while (true) {
      boost::system::error_code error;
      auto socket = std::make_shared<Socket>(io_);
      acceptor_.accept(*socket, error);
      if (stopping_) return;
      if (error) continue;
      ++connections_;
      sockets_.push_back(socket);
      threads_.emplace_back([this, socket] {
        if (tls_) {
          boost::asio::ssl::stream<Socket&> stream(*socket, *tls_);
          boost::system::error_code failed;
          stream.handshake(boost::asio::ssl::stream_base::server, failed);
          if (!failed) Serve(stream);
        } else {
          Serve(*socket);
        }
        ::shutdown(socket->native_handle(), SHUT_RDWR);
      });
    }
  }

  template <typename Stream>
  void Serve(Stream& stream) {
    boost::system::error_code error;
    std::string input;
    while (true) {
      const std::size_t head = boost::asio::read_until(stream, boost::asio::dynamic_buffer(input), "\r\n\r\n", error);
      if (error) return;
      const std::size_t at = input.find("Content-Length: ");
      const std::size_t size = head + std::stoul(input.substr(at + 16));
      if (input.size() < size) {
        boost::asio::read(stream, boost::asio::dynamic_buffer(input),
                          boost::asio::transfer_exactly(size - input.size()), error);
      }
      if (error) return;
      ++requests_;
      const Answer answer = script_(input.substr(0, size));
      input.erase(0, size);
      boost::asio::write(stream, boost::asio::buffer(answer.bytes), error);
      if (error || answer.close) return;
    }
  }

  const Script script_;
  boost::asio::io_context io_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::unique_ptr<boost::asio::ssl::context> tls_;
  std::atomic<bool> stopping_ = false;
  std::atomic<int> connections_ = 0;
  std::atomic<int> requests_ = 0;
  std::thread thread_;
  std::vector<std::shared_ptr<Socket>> sockets_;
  std::vector<std::thread> threads_;
};

}  // namespace taula::client
