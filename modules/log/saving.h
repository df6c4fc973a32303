// How a flight recorder's log is saved.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "base/status.h"
#include "log/ring_file.h"
#include "modules/file_limits.h"

namespace oriel::log_module {

// Of the files that a process has saved.
inline constexpr uint32_t kKeptByDefault = 10;

// A name that no file has, for what is saved now (UTC): "Shop-20261127-061502-exception.oriel" of "Shop.oriel".
std::string name_of_saved(const std::string& of_recorder, const std::string& word);

// Saves what the recorder holds of its time as a log of its own, with what was lost of it. Calls `between` now and
// then. The log has its name once it is complete. After an error there is no file. For the log's writer.
Status save_ring(const log::RingFile& ring, const std::string& path, std::span<const log::Lost> lost,
                 const std::function<void()>& between);

// "holds the last 41 s of 60 s (12.3 MB of 64.0 MB); saved 2, the last as PATH"
std::string held_text(const log::RingFile::Held& held, const modules::FileLimits& asked, uint32_t saved,
                      const std::string& last);

}  // namespace oriel::log_module
