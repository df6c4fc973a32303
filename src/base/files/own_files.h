// A separate descriptor table for a thread of the profiler, so that its files are not the program's: they take no
// numbers from the program, a program that closes all files does not close them, and a forked child has no copies of
// them.
#pragma once

namespace oriel {

// Gives the calling thread such a table, containing only `keep` (-1: nothing), with the same number. Must be the
// thread's first action: files that it opened before are closed for it. The table and its files end with the thread;
// threads that it starts share it. False if the system refuses (before Linux 5.9, or a container that forbids unshare);
// the thread's files are then in the program's table.
bool unshare_descriptors(int keep = -1);

// For a thread with such a table on which other code runs: gives it standard streams that lead nowhere. Otherwise what
// that code prints would go into whatever file got their numbers.
void open_standard_streams();

namespace internal {
// Without close_range(2). For a moment it holds copies of the program's files.
bool take_own_files_one_by_one(int keep);
}  // namespace internal

}  // namespace oriel
