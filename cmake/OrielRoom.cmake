# The processor that is built for: a folder of src/arch.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  set(ORIEL_ARCH x64)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(ORIEL_ARCH arm64)
else()
  message(FATAL_ERROR "Oriel has no code for the processor ${CMAKE_SYSTEM_PROCESSOR}: see src/arch")
endif()
set(ORIEL_ARCH_FOLDER ${CMAKE_SOURCE_DIR}/src/arch/${ORIEL_ARCH})

# oriel_room(NAME DEPS other rooms and libraries… [ALONE sources…]): the static library oriel_NAME of all sources in the calling
# folder and below, and in the folder of the same name in src/arch/PROCESSOR. Includes are written from src/ ("log/writer.h"),
# from src/arch/PROCESSOR, or from include/ ("oriel/oriel.h").
function(oriel_room name)
  cmake_parse_arguments(ROOM "" "" "DEPS;ALONE" ${ARGN})
  file(RELATIVE_PATH room ${CMAKE_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc ${ORIEL_ARCH_FOLDER}/${room}/*.cc)
  add_library(oriel_${name} STATIC ${sources})
  target_include_directories(oriel_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src ${ORIEL_ARCH_FOLDER} ${CMAKE_SOURCE_DIR}/include)
  target_link_libraries(oriel_${name} PUBLIC ${ROOM_DEPS})
  oriel_batches(oriel_${name} ${ROOM_ALONE})
endfunction()

# oriel_batches(TARGET [sources…]): the target's sources are compiled several at a time, as most of a compilation is the headers
# that all of them include. So no two sources of a target give the same name to things of their own, nor a name that their
# headers have. These sources are compiled alone: for what looks at their objects, or because they alone are often compiled anew.
function(oriel_batches target)
  if(ORIEL_BATCH)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${ORIEL_BATCH})
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# oriel_in_process(TARGET [MAP]): what is loaded into the profiled process carries its own C++ runtime and shows only the
# public API, or what another map in cmake/ names. Its symbols are bound when it is loaded: a first call out of a signal
# handler must not go through the dynamic linker. It stays loaded: not every toolchain has its destructors run as it goes.
function(oriel_in_process target)
  set(exports ${CMAKE_SOURCE_DIR}/cmake/exports.map)
  if(ARGC GREATER 1)
    set(exports ${CMAKE_SOURCE_DIR}/cmake/${ARGV1})
  endif()
  target_link_options(${target} PRIVATE -Wl,-z,now -Wl,-z,nodelete)
  if(NOT ORIEL_SANITIZE)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,--version-script=${exports})
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${exports})
  endif()
endfunction()

# oriel_hides(TARGET VISIBILITY ARCHIVE): what links the target shows nothing of an archive in it. Where the linker cannot do
# so, version scripts have to suffice.
include(CheckLinkerFlag)
check_linker_flag(CXX -Wl,--exclude-libs,ALL ORIEL_LINKER_HIDES_ARCHIVES)
function(oriel_hides target visibility archive)
  if(ORIEL_LINKER_HIDES_ARCHIVES)
    target_link_options(${target} ${visibility} -Wl,--exclude-libs,${archive})
  endif()
endfunction()

# oriel_engine_library(TARGET more sources…): a liboriel.so, that is the engine with all runtimes it is built for (ORIEL_RUNTIMES),
# each entered by what src/liboriel has for it. Its objects are linked as such: --exclude-libs would hide the public API if it
# came out of an archive.
function(oriel_engine_library target)
  add_library(${target} SHARED ${ARGN} $<TARGET_OBJECTS:oriel_engine>)
  foreach(runtime ${ORIEL_RUNTIMES})
    target_sources(${target} PRIVATE ${CMAKE_SOURCE_DIR}/src/liboriel/${runtime}.cc $<TARGET_OBJECTS:oriel_${runtime}>)
  endforeach()
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE oriel_base oriel_control oriel_il oriel_metadata oriel_pdb oriel_sampling oriel_symbols ${CMAKE_DL_LIBS}
                                          Threads::Threads PUBLIC oriel_headers)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME oriel SOVERSION 1 VERSION ${PROJECT_VERSION})
  oriel_in_process(${target})
endfunction()

# oriel_text_room(TARGET): code that runs a few times for a person to read its output. Optimizing it for speed takes
# longer than it will ever save.
function(oriel_text_room target)
  if(CMAKE_BUILD_TYPE MATCHES "^Rel")
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

# oriel_test_headers(TARGET): the headers that all tests include are compiled once, as they are a quarter of a test's compilation.
# Where each source is compiled as it stands (ORIEL_BATCH=0), its own includes are.
function(oriel_test_headers target)
  if(ORIEL_BATCH)
    target_precompile_headers(${target} REUSE_FROM oriel_test_headers)
  endif()
endfunction()

# oriel_quick_link(TARGET): for programs that are not installed. The gold linker, where it is there, takes half the time for what
# is so large with what debuggers need. It does not know all that sanitizers export.
find_program(ORIEL_GOLD ld.gold)
function(oriel_quick_link target)
  if(ORIEL_GOLD AND NOT ORIEL_SANITIZE)
    target_link_options(${target} PRIVATE -fuse-ld=gold)
  endif()
endfunction()

# oriel_test_options(TARGET): the tests' own code need not be fast, and compiles in half the time so. With sanitizers GCC 12
# then warns wrongly of std::regex. And of std::string it warns wrongly where headers are precompiled, because it no longer knows
# which of them are the system's.
function(oriel_test_options target)
  oriel_quick_link(${target})
  if(NOT ORIEL_SANITIZE)
    target_compile_options(${target} PRIVATE -O1 -g1)
  endif()
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds -Wno-stringop-overflow>)
endfunction()

# oriel_test_paths(NAME [PATH VALUE]…): the test program's paths of tests/paths.h. They stand in a source of their own, so that all
# others are the same in each clone and the compiler's cache has them.
function(oriel_test_paths name)
  set(definitions "")
  while(ARGN)
    list(POP_FRONT ARGN path value)
    string(APPEND definitions "const char* const ${path} = \"${value}\";\n")
  endwhile()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/paths_of_${name}.cc)
  file(GENERATE OUTPUT ${source} CONTENT
       "#include \"paths.h\"\n\nnamespace oriel::test_paths {\n\n${definitions}\n}  // namespace oriel::test_paths\n")
  set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  target_sources(test_${name} PRIVATE ${source})
endfunction()

# oriel_test(NAME DEPS…): a GoogleTest program of all sources in the calling folder and in the folder of the same name in
# tests/arch/PROCESSOR, known to ctest test by test.
function(oriel_test name)
  cmake_parse_arguments(TEST "" "" "DEPS" ${ARGN})
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc ${CMAKE_SOURCE_DIR}/tests/arch/${ORIEL_ARCH}/${folder}/*.cc)
  add_executable(test_${name} ${sources})
  target_include_directories(test_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(test_${name} PRIVATE ${TEST_DEPS} GTest::gtest_main)
  oriel_test_options(test_${name})
  oriel_test_headers(test_${name})
  include(GoogleTest)
  # Each body of the frameworks takes minutes under a sanitizer.
  set(timeout 300)
  if(ORIEL_SANITIZE)
    set(timeout 1800)
  endif()
  gtest_discover_tests(test_${name} TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT ${timeout})
endfunction()
