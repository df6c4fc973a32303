# oriel_room(NAME DEPS other rooms and libraries…): the static library oriel_NAME of all sources in the calling folder.
# Public includes are written from src/ ("log/writer.h") or include/ ("oriel/oriel.h").
function(oriel_room name)
  cmake_parse_arguments(ROOM "" "" "DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc ${CMAKE_CURRENT_SOURCE_DIR}/*.S)
  add_library(oriel_${name} STATIC ${sources})
  target_include_directories(oriel_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
  target_link_libraries(oriel_${name} PUBLIC ${ROOM_DEPS})
endfunction()

# What is loaded into the profiled process carries its own C++ runtime and shows only the public API. Its symbols are
# bound when it is loaded: a first call out of a signal handler must not go through the dynamic linker.
function(oriel_in_process target)
  target_link_options(${target} PRIVATE -Wl,-z,now)
  if(NOT ORIEL_SANITIZE)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc
                        -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/exports.map)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/exports.map)
  endif()
endfunction()

# oriel_test(NAME DEPS…): a GoogleTest program of all sources in the calling folder, known to ctest test by test.
function(oriel_test name)
  cmake_parse_arguments(TEST "" "" "DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  add_executable(test_${name} ${sources})
  target_include_directories(test_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(test_${name} PRIVATE ${TEST_DEPS} GTest::gtest_main)
  include(GoogleTest)
  # Each body of the frameworks takes minutes under a sanitizer.
  set(timeout 300)
  if(ORIEL_SANITIZE)
    set(timeout 1800)
  endif()
  gtest_discover_tests(test_${name} TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT ${timeout})
endfunction()
