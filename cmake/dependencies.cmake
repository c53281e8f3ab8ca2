# Everything comes from Debian 12's packages; ./start and ./test install them.

find_package(Threads REQUIRED)
find_package(RocksDB REQUIRED)
find_package(simdjson REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Boost 1.81 REQUIRED)
if(TAULA_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
