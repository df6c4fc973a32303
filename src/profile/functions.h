// Profile::functions while it is built: one entry per name and module, whatever number of ids a log has for it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// The compiler-generated entry point that waits for an async Main. Readers see both as Main.
inline bool is_made_for_async_main(const Function& function) {
  return function.raw_name.find(".<Main>(") != std::string::npos;
}

// MoveNext of a compiler-generated state machine, which is shown under the name of its source method.
inline bool is_move_next(const Function& function) {
  const auto runs = [&](const char* method) {
    return function.raw_name.find(method) != std::string::npos && function.name.find(method) == std::string::npos;
  };
  return function.managed && (runs(".MoveNext()") || runs(".GenerateNext("));
}

class Functions {
 public:
  // `most_bytes` limits the memory of all functions; those beyond it share one entry that says so. A few bytes of a log
  // can name a function after a class whose name is as long as the log.
  explicit Functions(std::vector<Function>& functions, uint64_t most_bytes = UINT64_MAX)
      : functions_(functions), left_(most_bytes), known_(kSlots, Hash{&functions}, Same{&functions}) {}

  // The function's index; adds the function if it is new.
  uint32_t add(Function function) {
    const uint64_t bytes = bytes_of(function);
    functions_.push_back(std::move(function));
    const auto [at, made] = known_.insert(static_cast<uint32_t>(functions_.size() - 1));
    if (!made) {
      // Keep MoveNext's raw name: it is the method that has the code in metadata.
      if (is_move_next(functions_.back())) functions_[*at].raw_name = std::move(functions_.back().raw_name);
      functions_.pop_back();
    }
    if (!made || bytes <= left_) {
      if (made) left_ -= bytes;
      return *at;
    }
    known_.erase(at);
    functions_.pop_back();
    return left_out();
  }

 private:
  static constexpr size_t kSlots = 1024;

  static uint64_t bytes_of(const Function& function) {
    constexpr uint64_t kNode = 48;  // of a table entry, with its slot
    return sizeof function + kNode + function.name.size() + function.raw_name.size() + function.module.size();
  }

  uint32_t left_out() {
    left_ = 0;
    if (left_out_ == 0) {
      left_out_ = static_cast<uint32_t>(functions_.size());
      functions_.push_back({"[functions that are more than a log of its size can hold]", "", "", false});
    }
    return left_out_;
  }

  struct Hash {
    const std::vector<Function>* functions;
    size_t operator()(uint32_t index) const {
      const Function& function = (*functions)[index];
      return std::hash<std::string>()(function.name) * 31 + std::hash<std::string>()(function.module);
    }
  };
  struct Same {
    const std::vector<Function>* functions;
    bool operator()(uint32_t a, uint32_t b) const {
      const Function &one = (*functions)[a], &other = (*functions)[b];
      return one.name == other.name && one.module == other.module && one.managed == other.managed &&
             one.type == other.type && is_made_for_async_main(one) == is_made_for_async_main(other);
    }
  };

  std::vector<Function>& functions_;
  uint64_t left_;
  std::unordered_set<uint32_t, Hash, Same> known_;
  uint32_t left_out_ = 0;
};

}  // namespace oriel::profile
