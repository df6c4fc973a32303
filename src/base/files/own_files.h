// A table of descriptors of its own for a thread of the profiler's, so that none of its files is the program's: a file
// takes no number that the program gets otherwise, a program that closes all files does not close it, and a forked
// child has no copy of it.
#pragma once

namespace oriel {

// Gives the calling thread such a table, with nothing in it but `keep` (-1: nothing at all), by the number that it has.
// The thread must do this first: a file that it opened before is closed, for this thread. The table and what is in
// it end with the thread; threads that it starts share it. False where the system refuses (before Linux 5.9, in a
// container that forbids unshare); the thread then has its files in the program's table, as the program's threads do.
bool take_own_files(int keep = -1);

namespace internal {
// Without close_range(2). For a moment it holds what the program has open.
bool take_own_files_one_by_one(int keep);
}  // namespace internal

}  // namespace oriel
