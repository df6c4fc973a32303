// The scripted runtime's loaded things, by name and by runtime id, and their code.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtimes/scripted/code.h"

namespace oriel::scripted {

enum class Kind { kDomain, kAssembly, kImage, kClass, kMethod };

struct CodeBlock {
  uintptr_t start = 0;
  size_t size = 0;
  bool real = false;  // from the CodeSpace
};

struct Thing {
  Kind kind = Kind::kDomain;
  std::string name;
  std::string path;
  uintptr_t runtime_id = 0;
  const Thing* parent = nullptr;  // image → assembly, class → image, method → class
  uint32_t token = 0;
  uint32_t size = 0;
  bool trivial = false;  // for a method, see Runtime::is_trivial
  std::vector<CodeBlock> code;
};

// Ids and addresses of removed things are reused immediately, the worst that a runtime may do. Any thread; does not
// call out. Things live as long as the world, so that pointers to removed ones stay readable.
class World {
 public:
  // nullptr if a thing of that kind and name exists.
  Thing* add(Kind kind, const std::string& name, const Thing* parent);
  // nullptr if there is none.
  Thing* find(Kind kind, const std::string& name);
  Thing* by_runtime_id(uintptr_t runtime_id);
  Thing* by_token(uint32_t token);
  std::vector<Thing*> children(const Thing& parent);
  std::vector<std::string> names(Kind kind);
  // Removed things are no longer found; their ids stay taken until release.
  void remove(Thing& thing);
  void release(Thing& thing);

  // Gives the method code: `start` 0 takes a real slot. Returns a block of size 0 if there is none, or the place is
  // taken.
  CodeBlock add_code(Thing& method, uintptr_t start, size_t size);
  // Returns the method's former code; its slots stay taken until release_code.
  std::vector<CodeBlock> remove_code(Thing& method);
  void release_code(const std::vector<CodeBlock>& blocks);
  // The method whose code contains the address; nullptr if none.
  Thing* method_at(uintptr_t address, CodeBlock& block);
  // Start of the method's newest code; 0 if it has none.
  uintptr_t code_of(const Thing& method);

 private:
  struct Placed {
    CodeBlock block;
    Thing* method;
  };

  bool is_free(uintptr_t start, size_t size) const;

  std::mutex lock_;
  std::vector<std::unique_ptr<Thing>> all_;
  std::map<std::pair<Kind, std::string>, Thing*> by_name_;
  std::map<uintptr_t, Thing*> by_id_;
  std::map<uintptr_t, Placed> code_;  // by start
  std::vector<uintptr_t> free_ids_;
  uintptr_t next_id_ = 0x1000;
  uint32_t next_token_ = 0x02000001;
  CodeSpace space_;
};

}  // namespace oriel::scripted
