// The socket by which `oriel ctl` reaches the engine in a running program: TMPDIR/oriel-UID/PID. It and its connections
// are in a descriptor table of the server's thread: the program has no more files, and no child has copies of them.
#pragma once

#include <chrono>

namespace oriel::control {

// Starts the server, unless ORIEL_CONTROL=off. A program in which there can be none runs on without: the tool says so
// to who asks. After the modules are loaded; once, or again when an attached engine has left, with which it ends.
void start_server();
// Whether it listens, or does so within that time. Any thread.
bool serves_within(std::chrono::milliseconds most);

// Removes the socket's name, and the folder if nothing else is in it, and answers nobody any more. At the process's
// end, or not at all: its thread goes with it.
void stop_server();

}  // namespace oriel::control
