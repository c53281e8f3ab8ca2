# How every folder of src/ becomes a target.

add_library(taula_options INTERFACE)
target_compile_options(taula_options INTERFACE -Wall -Wextra -Werror -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                                               -Wimplicit-fallthrough -Wno-missing-field-initializers)
if(TAULA_SANITIZE)
  # In code that it instruments GCC takes members of the standard library's <regex> for uninitialized.
  target_compile_options(taula_options INTERFACE -fsanitize=${TAULA_SANITIZE} -fno-omit-frame-pointer
                                                 -fno-sanitize-recover=all -Wno-maybe-uninitialized)
  target_link_options(taula_options INTERFACE -fsanitize=${TAULA_SANITIZE})
  if(TAULA_SANITIZE STREQUAL "thread")
    # GCC says of asio's fences that the sanitizer does not see them.
    target_compile_options(taula_options INTERFACE -Wno-tsan)
  endif()
endif()

find_program(TAULA_MOLD mold)
if(TAULA_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
find_program(TAULA_CCACHE ccache)
if(TAULA_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TAULA_CCACHE})
endif()

# taula_folder(<name> [SUBFOLDERS <folder>...] DEPENDS <target>...)
#
# The sources of the current folder as the static library taula_<name>, and its
# *_test.cc files, which stand beside what they test, as the program
# <name>_test. SUBFOLDERS' sources belong to the same library; a main.cc does
# not: it is a program's.
function(taula_folder name)
  cmake_parse_arguments(FOLDER "" "" "DEPENDS;SUBFOLDERS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  foreach(subfolder IN LISTS FOLDER_SUBFOLDERS)
    file(GLOB more CONFIGURE_DEPENDS ${subfolder}/*.cc)
    list(APPEND sources ${more})
  endforeach()
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cc$")

  add_library(taula_${name} STATIC ${sources})
  set_target_properties(taula_${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(taula_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(taula_${name} PUBLIC ${FOLDER_DEPENDS} PRIVATE taula_options)
  # Many small functions on the way of a request: inlining more of them saves 5 %
  # of a GetItem's instructions and 8 % of a Query's.
  target_compile_options(taula_${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O3>)

  if(TAULA_BUILD_TESTS AND tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE taula_${name} taula_options GTest::gmock GTest::gtest_main)
    gtest_discover_tests(${name}_test TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST)
  endif()
endfunction()
