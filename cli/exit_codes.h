// What `oriel` exits with when it is not the program's own exit code.
#pragma once

namespace oriel::cli {

inline constexpr int kFailed = 1;   // report, export: the log could not be read, the output could not be written
inline constexpr int kUsage = 2;    // report, export: the command line is wrong
inline constexpr int kBelow = 120;  // cover: less ran than --fail-under asks for, and the program returned 0
// As env(1), timeout(1) and shells have them:
inline constexpr int kRunFailed = 125;  // run: Oriel itself failed, or no log was written and the program returned 0
inline constexpr int kNotExecutable = 126;  // run: the program was found but cannot be executed
inline constexpr int kNotFound = 127;       // run: the program was not found
inline constexpr int kSignalBase = 128;     // run: plus the number of the signal that ended the program

}  // namespace oriel::cli
