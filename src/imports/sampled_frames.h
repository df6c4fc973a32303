// Frames and waits of sampled stacks of .NET, as imported logs have them.
#pragma once

#include <string>
#include <string_view>

#include "imports/log_maker.h"
#include "imports/managed_name.h"

namespace oriel::imports {

// Innermost frame of samples of threads outside of managed code, where it is not known whether they ran or waited.
uint64_t outside_frame(LogMaker& maker);
// Whether a file that Oriel exported has that frame there.
bool is_outside_frame(std::string_view name);
// The same of threads that wait, as Oriel's own logs have it.
uint64_t waiting_frame(LogMaker& maker);

// Whether a thread that is outside of managed code, with this managed frame innermost, waits: the method does nothing
// else there.
bool only_waits(const ManagedName& method);
// Whether such a thread is there only because it is stopped for the sample: it runs managed code.
bool stops_for_samples(const ManagedName& method);

// The method's id, in a module of that path; "" if not known.
uint64_t method_id(const ManagedName& method, const std::string& module, LogMaker& maker);

struct NamedFrame {
  log::FrameKind kind = log::FrameKind::kNative;
  uint64_t id = 0;  // of a method or a native function
};
// Whether this is what perf calls the file of generated code, of which the names are in a map beside it.
bool is_code_map(std::string_view file);
// What a symbol of perf's names. `file`: what it is from; "" if that is not known.
NamedFrame frame_of_symbol(const std::string& name, const std::string& file, LogMaker& maker);

// "Thread (4711)" and "Worker (4711)" have the id of the operating system in them; 0 for other names.
uint64_t id_in_name(std::string_view name);

}  // namespace oriel::imports
