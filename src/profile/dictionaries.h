// What rows of tables refer to by index: functions, stacks, threads, places, processes.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "log/format.h"

namespace oriel::profile {

// A function as people see it: a managed method, a native function, or a library without symbols.
struct Function {
  std::string name;      // Shop.Cart.AddAsync(System.String, int); memcpy; [libcoreclr.so]
  std::string raw_name;  // as metadata has it, "" if the same
  std::string module;    // assembly or library file name, "" if none
  bool managed = false;
  bool type = false;    // a class whose objects were allocated: what the site that allocates them leads to
  uint32_t origin = 0;  // where its code comes from: index into origins
};

// Where the code of assemblies comes from.
struct Origin {
  log::Origin kind = log::Origin::kUnknown;
  std::string name;  // of the project, package or framework, with its version
};

struct Thread {
  uint64_t id = 0;  // Oriel's
  uint64_t os_id = 0;
  bool managed = false;
  std::string name;
  uint32_t process = 0;      // index into processes
  std::string process_name;  // of a merged profile: "Shop (4711)"
  uint64_t samples = 0;      // periods, as everywhere; of a weighed profile, what Profile::unit says
  int64_t first_ns = -1;     // first and last sign of life, since the start of the log; -1 if none
  int64_t last_ns = -1;      // -1 too of a thread that was never sampled, if nothing is known of it after the first
};

// What stands, in whatever shows stacks, for the callers of a truncated one.
inline constexpr const char* kCallersNotKnown = "[callers not known]";
// And for a stack of which nothing could be read.
inline constexpr const char* kUnreadStack = "[stack could not be read]";

// A node of the tree of sampled stacks; nodes[0] is the root. A child's index is always greater than its parent's.
struct Node {
  uint32_t parent = 0;
  uint32_t function = 0;  // index into functions
  bool truncated = false;
  uint32_t position = 0;  // index into Places::positions; nodes that differ in this only are one in all but lines
};

// Where frames are in their methods, as the log tells it; which lines these are, lines.h finds out.
struct Image {
  std::string path;           // as it was loaded; "" if it was no file
  std::string pdb_id;         // of the PDB made with it; "" if there is none
  std::string pdb_path;       // where that was when the image was compiled
  std::string build_id = {};  // of a native library, hexadecimal; "" if it has none
  bool operator==(const Image&) const = default;
};
struct Position {
  uint32_t image = 0;    // index into Places::images
  uint32_t row = 0;      // of the method's definition in the image, from 1; 0: not known, or native code
  uint32_t il = 0;       // offset of the instruction
  uint64_t address = 0;  // of native code: where its function begins, as linked; 0: not known, or a method
  auto operator<=>(const Position&) const = default;
};
struct Places {
  std::vector<Image> images = {{}};        // [0] is not known
  std::vector<Position> positions = {{}};  // [0] is not known
  std::vector<Position> boxes;             // where own code boxes values, as far as the log tells
};

// Whether there may be more to come.
enum class LogState {
  kComplete,  // the log has its end
  kRunning,   // no end, and the process that writes it still runs on this machine
  kStopped,   // no end, and that process is gone: killed, or crashed
  kUnknown,   // no end, and it is another machine's log, or does not tell its process
};

// A process whose log is part of the profile.
struct Process {
  std::string file;
  std::string name;               // the program's, as in the log's file name: "Shop" of dotnet Shop.dll
  std::string command;            // as a shell reads it, "" if not known
  uint64_t pid = 0;               // 0: not known
  std::vector<uint64_t> parents;  // those that it came from, nearest first
  std::string run;                // which run it belongs to, "" if not known
  LogState state = LogState::kComplete;
  bool sdk = false;      // part of the .NET SDK: `dotnet build`, MSBuild, the compiler, the test runner
  int64_t start_ns = 0;  // when its log began, since the start of the profile's
  int64_t wall_ns = 0;
  uint64_t cpu_us = 0;   // the program's own since its log began, 0 if not known
  uint64_t periods = 0;  // samples that the filter kept
};

struct Dictionaries {
  std::vector<Function> functions;     // [0] is the root, without a name
  std::vector<Origin> origins = {{}};  // [0] is not known
  std::set<std::string> unoptimized;   // of the program's own modules, those that are debug builds
  std::vector<Thread> threads;
  std::vector<Node> nodes;  // [0] is the root
  // Ways of logged calls. [0] is the root; a thread's outermost calls are its children, truncated where events were
  // lost before and more callers may have been there; so are the outermost frames of stacks that objects were allocated
  // on, of all threads. Empty of a weighed profile.
  std::vector<Node> call_nodes;
  std::map<Position, std::string> awaited;  // the method whose result each await awaits, where its code tells
  Places places;                            // of the nodes
  std::vector<Process> processes;           // one, or those of the logs that were merged, in their order
};

}  // namespace oriel::profile
