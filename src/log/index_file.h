// The index of a long log (sample_index.h) in a file beside it, with the log's name and ".index". The first reader that
// needs it makes it, for the next ones.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/status.h"
#include "log/sample_index.h"

namespace oriel::log {

std::string index_file_of(const std::string& log_path);

struct IndexHow {
  uint64_t piece = kIndexPiece;
  uint64_t worth = 64u << 20;  // logs with fewer bytes get no file; one of an earlier log is removed
};

// The log's index: that of the file, if it is of this log as it is now, or was before the log grew; else made, and put
// there. Nobody needs the file: where it cannot be written, or another file has its name, there is none. Only its owner
// may read it, as others may read the log by rights that no file beside it has. A file of another user is not read
// unless the log is that user's too. Errors and progress as decode_file. May throw std::bad_alloc.
Result<SampleIndex> index_of_log(const std::string& path, const std::function<void(uint64_t, uint64_t)>& progress = {},
                                 const IndexHow& how = {});

}  // namespace oriel::log
