// Exit codes of `oriel` itself, used instead of the program's.
#pragma once

namespace oriel::cli {

inline constexpr int kFailed = 1;   // report, export: reading the log or writing the output failed
inline constexpr int kUsage = 2;    // report, export: invalid command line
inline constexpr int kBelow = 120;  // cover: coverage is below --fail-under, and the program returned 0
// As in env(1), timeout(1) and shells:
inline constexpr int kRunFailed = 125;  // run: Oriel itself failed, or no log was written and the program returned 0
inline constexpr int kNotExecutable = 126;  // run: the program was found but cannot be executed
inline constexpr int kNotFound = 127;       // run: the program was not found
inline constexpr int kSignalBase = 128;     // run: plus the number of the signal that ended the program

}  // namespace oriel::cli
