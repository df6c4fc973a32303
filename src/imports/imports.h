// Files of other tools, made into logs: they are recognized by their contents, and what is made of them goes through
// the log's writer. So everything that reads logs reads them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/status.h"
#include "log/writer.h"

namespace oriel::imports {

enum class Format : uint8_t {
  kNettrace,    // dotnet-trace and everything else that records the runtime's event pipe, or a whole machine with it
  kSpeedscope,  // JSON for speedscope
  kPerfScript,  // text of `perf script`
  kMoar,        // what MoarVM's own profiler writes (raku --profile), JSON or SQL
};

// As a person calls such a file: "a .nettrace file".
const char* format_words(Format format);

// By the file's first bytes; nullopt for logs, for anything else, and for what cannot be read.
std::optional<Format> format_of(const std::string& path);

struct Imported {
  uint64_t samples = 0;
  uint64_t events = 0;   // that are in the log
  uint64_t calls = 0;    // that a call graph has
  std::string left_out;  // what is not in the log, and why: "3 profiles of another unit"; "" if all is
  std::string cut;       // "" of a whole file
};

using Progress = std::function<void(uint64_t done, uint64_t total)>;

struct ImportOptions {
  uint64_t process = 0;  // of a trace of several; 0: that of .NET with the most samples
  Progress progress = {};
};

// Writes all of the log, up to its end block. Errors name the path.
Result<Imported> import_file(const std::string& path, Format format, log::Writer& writer,
                             const ImportOptions& options = {});

// A path of the log that is to be read for this one: of another tool's file, that of a file without a name, which lasts
// as long as the process; of anything else, the path itself. A file is imported only once. Errors name the path.
Result<std::string> log_of(const std::string& path, const Progress& progress = {});

// Runs the statements of a text, as src/statements does with SQLite, which is not everywhere: a program that has it
// says so at its start. What cuts the text short is a sentence in `cut`.
struct MoarProfile;
using ReadStatements = Status (*)(const std::string& text, MoarProfile& profile, std::string& cut);
void read_statements_with(ReadStatements read);

}  // namespace oriel::imports
