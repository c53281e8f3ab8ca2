# Installs BUILD into a fresh prefix under WORK, then configures, builds and
# runs the project in SOURCE against it.
set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${WORK})

function(must)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${ARGN}")
  endif()
endfunction()

must(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
must(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G Ninja -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_BUILD_TYPE=Debug)
must(${CMAKE_COMMAND} --build ${WORK}/build)
must(${WORK}/build/consumer)
must(${prefix}/bin/taula --version)
