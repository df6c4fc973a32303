// A stand-in for the engine behind oriel.h: threads, methods and addresses as a test lays them out.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "oriel/oriel.h"

struct oriel_class {
  uint32_t id;
  std::string name;
};
struct oriel_method {
  uint32_t id;
  std::string name;
  oriel_class* klass;
};
struct oriel_thread {
  uint32_t id;
  uint32_t os_id;
  std::string name;
};

namespace fake {

// The sample that a context points to.
struct Context {
  uint32_t slot = 0;
  uint32_t os_thread = 1;
  uint64_t time = 0;
  uint32_t periods = 1;
  bool truncated = false;
  std::vector<uintptr_t> frames;
};

struct Engine {
  std::vector<oriel_class> classes;  // by id - 1
  std::vector<oriel_method> methods;
  std::vector<oriel_thread> threads;
  std::map<uintptr_t, oriel_frame> frames;  // by address
  unsigned resolved = 0;
};
Engine& engine();

}  // namespace fake
