# What a user gets: the `taula` program, the library with its public headers,
# `find_package(taula)`, and all of it as a Debian package.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# One archive out of the folders an embedded database needs; server/ and cli/
# belong to the program alone.
set(embedded base value codec buckets expression partiql storage catalog metrics engine api database)
add_library(taula_archive STATIC)
foreach(folder IN LISTS embedded)
  target_sources(taula_archive PRIVATE $<TARGET_OBJECTS:taula_${folder}>)
endforeach()
set_target_properties(taula_archive PROPERTIES OUTPUT_NAME taula EXPORT_NAME taula LINKER_LANGUAGE CXX)
target_compile_features(taula_archive PUBLIC cxx_std_23)
target_include_directories(taula_archive INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                   $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(taula_archive PRIVATE Threads::Threads RocksDB::rocksdb-shared simdjson::simdjson fmt::fmt
                                            spdlog::spdlog OpenSSL::Crypto ZLIB::ZLIB zstd::zstd)
add_library(taula::taula ALIAS taula_archive)

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/taula)
install(TARGETS taula_archive EXPORT taula ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# What debuggers want is nine tenths of the archive, and CMake strips programs only.
install(CODE "execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-debug
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/$<TARGET_FILE_NAME:taula_archive>\" COMMAND_ERROR_IS_FATAL ANY)")
install(EXPORT taula NAMESPACE taula:: FILE taulaTargets.cmake DESTINATION ${config_folder})
install(DIRECTORY include/taula DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
configure_package_config_file(cmake/taulaConfig.cmake.in taulaConfig.cmake INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(taulaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/taulaConfig.cmake ${PROJECT_BINARY_DIR}/taulaConfigVersion.cmake
        DESTINATION ${config_folder})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/taula RENAME copyright)
install(TARGETS taula RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME taula)
set(CPACK_PACKAGE_VENDOR "Taula developers")
set(CPACK_PACKAGE_CONTACT "Taula developers <taula@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "DynamoDB-compatible database")
set(CPACK_PACKAGE_DESCRIPTION
    "Taula answers the AWS SDKs, the AWS CLI and every tool made for DynamoDB from one native process.
The package holds the server and, for programs that embed the database, the library with its headers.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${CPACK_PACKAGE_CONTACT})
set(CPACK_DEBIAN_PACKAGE_SECTION database)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "libfmt-dev, librocksdb-dev, libsimdjson-dev, libspdlog-dev, libssl-dev, libzstd-dev, zlib1g-dev")
include(CPack)
