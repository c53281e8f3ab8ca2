# Installs BUILD into a fresh prefix under WORK, then configures and builds the
# project in SOURCE against it, with EXAMPLE as its program, and runs that. What
# is missing from the installed headers, library or CMake files fails here.
set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${WORK})

function(must)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${ARGN}")
  endif()
endfunction()

must(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
must(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G Ninja -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_BUILD_TYPE=Debug
     -DEXAMPLE=${EXAMPLE})
must(${CMAKE_COMMAND} --build ${WORK}/build)
must(${WORK}/build/consumer ${WORK}/data)
must(${WORK}/build/consumer ${WORK}/data)  # a second time, on what the first left
must(${prefix}/bin/taula --version)
