// A stand-in for the engine behind oriel.h: threads, methods and addresses as a test lays them out.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "oriel/oriel.h"

struct oriel_image {
  uint32_t id;
  std::string assembly;
  std::string path;
  std::string pdb_path = {};
  std::string pdb_id = {};
  bool optimized = true;
};
struct oriel_class {
  uint32_t id;
  std::string name;
  uint32_t size = 24;
};
struct oriel_method {
  uint32_t id;
  std::string name;
  oriel_class* klass;
  oriel_image* image = nullptr;
  bool trivial = false;
  uint32_t token = 0;
  std::vector<uint32_t> boxes = {};
};
struct oriel_thread {
  uint32_t id;
  uint32_t os_id;
  std::string name;
};

// What was set: tests call the recorders' callbacks through these.
extern "C" {
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) extern oriel_##name##_cb callback_##name;
#include "oriel/events.def"
#undef ORIEL_EVENT
extern oriel_call_instrumentation_filter_cb call_filter;
extern oriel_allocation_filter_cb allocation_filter;
}

namespace fake {

// The sample that a context points to.
struct Context {
  uint32_t slot = 0;
  uint32_t os_thread = 1;
  uint64_t time = 0;
  uint32_t periods = 1;
  bool in_page_fault = false;
  bool waits = false;
  oriel_method* compiled = nullptr;
  bool truncated = false;
  std::vector<uintptr_t> frames;
};

struct Engine {
  std::vector<oriel_image> images;  // by id - 1
  std::vector<oriel_class> classes;
  std::vector<oriel_method> methods;
  std::vector<oriel_thread> threads;
  std::map<uintptr_t, oriel_frame> frames;         // by address
  std::map<uintptr_t, oriel_native> natives;       // by the first address
  std::map<uintptr_t, std::vector<uint8_t>> code;  // likewise
  std::map<uintptr_t, uint32_t> il_offsets;        // by address
  std::vector<uintptr_t> own_stack;                // what oriel_stack_walk_here finds
  bool own_stack_truncated = false;
  unsigned resolved = 0;
  unsigned named = 0;              // how often a method's whole name was asked for
  std::vector<uint64_t> outcomes;  // of instrumentation
};
Engine& engine();
inline thread_local uint32_t current_thread = 1;  // the id of the calling thread

}  // namespace fake
