// The socket by which `oriel ctl` reaches the engine in a running program: TMPDIR/oriel-UID/PID. It and its connections
// are in a descriptor table of the server's thread: the program has no more files, and no child has copies of them.
#pragma once

namespace oriel::control {

// Starts the server, unless ORIEL_CONTROL=off. A program in which there can be none runs on without: the tool says so
// to who asks. Once, after the modules are loaded.
void start_server();

// Removes the socket's name, and the folder if nothing else is in it, and answers nobody any more. At the process's
// end, or not at all: its thread goes with it.
void stop_server();

}  // namespace oriel::control
