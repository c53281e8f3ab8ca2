# Everything comes from Debian 12's packages; ./start and ./test install them.

find_package(Threads REQUIRED)
find_package(RocksDB REQUIRED)
find_package(simdjson REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(libdeflate REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(liburing REQUIRED IMPORTED_TARGET liburing)
find_package(Boost 1.81 REQUIRED)
# Only for the program: those who embed the library choose for themselves. Inside
# it, so that it needs nothing where it is installed.
find_library(TAULA_JEMALLOC NAMES libjemalloc_pic.a REQUIRED)
if(TAULA_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
