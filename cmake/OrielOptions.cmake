# Language, warnings, sanitizers: the same for every target.
set(ORIEL_TESTS ON CACHE STRING "Build the tests: ON, OFF, or some folders of tests/ only")
option(ORIEL_BENCH "Build the benchmarks" OFF)
option(ORIEL_FUZZ "Build the fuzzers with libFuzzer (clang only)" OFF)
set(ORIEL_BATCH 16 CACHE STRING "How many sources are compiled at a time; 0: each alone, as editors and clang-tidy want it")
set(ORIEL_SANITIZE "" CACHE STRING "Sanitizers for everything: address,undefined or thread")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
include(GNUInstallDirs)

# What is built does not depend on where its sources lie, so that a new clone takes what another compiled from the cache.
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
find_program(ORIEL_CCACHE ccache)
if(ORIEL_CCACHE)
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1 ${ORIEL_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
endif()

add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>)
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -fno-omit-frame-pointer)
# events.def passes an empty sequence for events without fields.
add_compile_options($<$<CXX_COMPILER_ID:Clang>:-Wno-gnu-zero-variadic-macro-arguments>)
# GCC 12 warns wrongly of overlapping copies inside std::string (GCC bug 105651).
add_compile_options($<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
# No symbol may be missing at link time.
if(ORIEL_SANITIZE)
  add_compile_options(-fsanitize=${ORIEL_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${ORIEL_SANITIZE})
else()
  add_link_options(-Wl,--no-undefined)
endif()
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
