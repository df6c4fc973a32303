// Which .NET runtime a process has, and which profilers, by what it has mapped.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/process.h"

namespace oriel::diagnostics {

enum class RuntimeKind {
  kNone,       // none that can be seen: what is within an executable shows itself by its diagnostics port only
  kCoreClr,    // in a library, or in the executable of a single-file program
  kNativeAot,  // in the executable
  kMono,
};

// "CoreCLR"
const char* runtime_name(RuntimeKind kind);

struct Runtime {
  RuntimeKind kind = RuntimeKind::kNone;
  // By the folder of the library: "10.0.12"; "" where that does not tell, as in self-contained programs.
  std::string version = {};
  bool musl = false;    // it uses musl, not glibc
  bool started = true;  // false: it has not come to managed code yet
};

Runtime runtime_of(const Process& process);

// Which of the two a process has that has a diagnostics port and no library of a runtime. Reads its executable.
RuntimeKind runtime_in_executable(const Process& process);

// Whether the program in this file has Mono as a library: it starts Mono itself.
bool embeds_mono(const std::string& path);

// The mapped libraries that a runtime could have loaded as profilers: those that export what it calls of one, but for
// the system's and the runtime's own. They may have left the runtime since. Reads the libraries.
std::vector<std::string> profilers_in(const Process& process);

// The major version: 10 of "10.0.12".
std::optional<unsigned> major_version(std::string_view version);

namespace internal {
RuntimeKind runtime_in_file(const std::string& path);
bool exports(const std::string& path, std::string_view function);
}  // namespace internal

}  // namespace oriel::diagnostics
