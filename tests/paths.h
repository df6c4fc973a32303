// Files and folders whose places differ from clone to clone. A test program has those that its CMakeLists.txt names
// (oriel_test_paths); another one that is used here does not link.
#pragma once

namespace oriel::test_paths {

extern const char* const build;            // the build folder
extern const char* const targets;          // the C# programs as they are built
extern const char* const dotnet;           // the command
extern const char* const test_modules;     // modules that tests load
extern const char* const contract_module;  // the folder with the module of the contract
extern const char* const scripted_host;    // the program that plays a runtime

extern const char* const target_sources;  // the C# programs' folders
extern const char* const marked;
extern const char* const cases;        // the hard cases of coverage
extern const char* const fuzz_corpus;  // a folder for each fuzzer
extern const char* const il_corpus;
extern const char* const kept_logs;
extern const char* const api_headers;
extern const char *const api_doc, *const format_doc, *const guests_doc, *const tables_doc;

}  // namespace oriel::test_paths
