// What each format's file gives imports.cc: whether bytes begin as one, and how it is read. Errors follow the file's
// name: "it is cut before its first block".
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/files/input_file.h"
#include "base/status.h"
#include "imports/imports.h"
#include "imports/log_maker.h"
#include "imports/nettrace_blocks.h"

namespace oriel::imports {

inline constexpr uint64_t kMostFileBytes = uint64_t{4} << 30;

bool is_nettrace(std::string_view beginning);
Status read_nettrace(const InputFile& file, LogMaker& maker, const ImportOptions& options);
Status parse_nettrace(const TraceBytes& bytes, LogMaker& maker, const ImportOptions& options = {});

bool is_speedscope(std::string_view beginning);
Status read_speedscope(const InputFile& file, LogMaker& maker, const ImportOptions& options);
Status parse_speedscope(std::string_view text, LogMaker& maker);

bool is_perf_script(std::string_view beginning);
Status read_perf_script(const InputFile& file, LogMaker& maker, const ImportOptions& options);
Status parse_perf_script(std::string_view text, LogMaker& maker);

bool is_moar(std::string_view beginning);
Status read_moar(const InputFile& file, LogMaker& maker, const ImportOptions& options);
Status parse_moar(const std::string& text, LogMaker& maker);

}  // namespace oriel::imports
