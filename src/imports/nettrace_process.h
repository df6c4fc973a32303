// The code of one process of a .nettrace file, by the names that its events give it: methods as the runtime tells them,
// and in a trace of a machine symbols and mapped files.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "imports/log_maker.h"
#include "imports/nettrace_code.h"
#include "imports/sampled_frames.h"
#include "imports/trace_cursor.h"

namespace oriel::imports {

// A method, or a function that a symbol names.
struct TraceMethod {
  // Of a method, as the runtime tells it.
  uint64_t module = 0;
  std::string type, name, signature;
  // Of a symbol: its `name`, and the file that it is from.
  bool is_symbol = false;
  std::string file;
  // In the log; an id of 0 while nothing asked for it.
  NamedFrame frame;
  bool only_waits = false, stops_for_samples = false;
};

class TraceProcess {
 public:
  std::string name;
  uint64_t samples = 0;
  bool has_runtime = false;  // some of its code is .NET's

  // Payloads of events. A method's code, which was there, came or went:
  void take_method(TraceCursor in, uint64_t time, CodeEvent::What what);
  // A module: its path by its id.
  void take_module(TraceCursor in);
  // A process: its name.
  void take_name(TraceCursor in);
  // A file that is mapped as code, and what a part of it is called.
  void take_mapping(TraceCursor in);
  void take_symbol(TraceCursor in, uint64_t time);

  CodeHistory& code() { return code_; }
  // A method by the number that code() has for it.
  TraceMethod& method(uint32_t number, LogMaker& maker);
  // By the runtime's own id; 0 if its name is not told.
  uint64_t method_id(uint64_t runtime_id, LogMaker& maker);
  std::string module_path(uint64_t module) const;
  // The mapped file that an address without a name is in; "" if there is none.
  std::string file_at(uint64_t address) const;

 private:
  struct Mapping {
    uint64_t last = 0;  // address
    std::string file;
  };

  CodeHistory code_;
  std::vector<TraceMethod> methods_;
  std::unordered_map<uint64_t, uint32_t> last_of_id_;  // by the runtime's id
  std::unordered_map<uint64_t, std::string> modules_;
  std::unordered_map<std::string, uint32_t> symbols_;       // by name and file
  std::map<uint64_t, Mapping> mappings_;                    // by begin; the last ones
  std::unordered_map<uint64_t, std::string> mapped_files_;  // by the mapping's id
};

}  // namespace oriel::imports
