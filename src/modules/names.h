// Gathers the names of ids that the log uses, each once, just before its first use. Only for the writer's thread.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "log/event.h"
#include "log/format.h"
#include "oriel/oriel.h"

namespace oriel::modules {

// Marks `id`; returns whether it was not marked before.
inline bool mark(std::vector<bool>& marked, uint64_t id) {
  if (id >= marked.size()) marked.resize(id + id / 2 + 64);
  if (marked[id]) return false;
  marked[id] = true;
  return true;
}

class NameTable {
 public:
  struct Frame {
    log::FrameKind kind = log::FrameKind::kNative;
    uint64_t id = 0;
    uint32_t il = log::kNoIl;  // offset in the method
  };

  // The frame of an address at a time; its name goes into the next mapping.
  Frame frame_at(uintptr_t address, uint64_t when);
  // The frame below the function with that next instruction, if the function has made a system call.
  std::optional<Frame> kernel_below(uintptr_t address, uint64_t when);
  // The frame below an instruction that waits in a page fault.
  Frame page_fault();
  // The frame below the place where a thread waits.
  Frame waiting();

  // The log uses the thing of that kind and id.
  void need(log::FieldKind kind, uint64_t id);
  void need_thread(uint64_t id);
  // A thread has got a name that is not in the log yet.
  void rename_thread(uint64_t id);

  // The names needed since the last call.
  log::Mapping take();

  // Goes on where the table of a recorder's segment before ended: ids of libraries and native functions stay what they
  // are, but none is in the log yet.
  void continue_from(NameTable& before);

 private:
  void need_image(oriel_image* image);
  void need_class(oriel_class* klass);
  void need_method(oriel_method* method);
  void add_thread(oriel_thread* thread);

  // Functions with the same name are merged for readers; those without a name are distinguished by their start.
  struct NativeKey {
    uint64_t library;
    std::string name;
    uintptr_t start;
    auto operator<=>(const NativeKey&) const = default;
  };

  void need_boxes(oriel_method* method);
  uint64_t native_id(const oriel_frame& frame, uintptr_t address);
  uint64_t add_native(const NativeKey& key, uintptr_t address);
  uint64_t library_id(const char* path, uintptr_t address);

  struct Numbered {
    uint64_t id = 0;
    bool is_said = false;  // it is in the log, or in next_
  };

  log::Mapping next_;
  std::set<uint64_t> own_images_;                           // the program's
  std::vector<bool> images_, classes_, methods_, threads_;  // by id: is in the log, or in next_
  std::map<std::string, Numbered> libraries_;
  std::map<NativeKey, Numbered> natives_;
};

}  // namespace oriel::modules
