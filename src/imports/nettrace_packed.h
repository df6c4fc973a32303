// Version 6 of .nettrace files, which `dotnet-trace collect-linux` writes: of all processes of a machine, or of some.
// Blocks with a head of four bytes; threads have numbers of their own, and events' labels are in lists.
//
// Source of the format: NetTraceFormat.md of the PerfView project.
#pragma once

#include "imports/nettrace_blocks.h"

namespace oriel::imports {

// Whether the file begins as one of these versions.
bool is_packed_trace(const TraceBytes& file);

// As read_trace, for such a file.
Result<TraceOutcome> read_packed_trace(const TraceBytes& file, TraceSink& sink,
                                       const std::function<void(uint64_t done)>& progress);

}  // namespace oriel::imports
