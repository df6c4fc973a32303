// Profile::functions while it is built: one entry for each name and module, however many ids a log has for it.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// Of a program whose Main is async, the method that the compiler makes to wait for it. People know both as Main.
inline bool is_made_for_async_main(const Function& function) {
  return function.raw_name.find(".<Main>(") != std::string::npos;
}

class Functions {
 public:
  explicit Functions(std::vector<Function>& functions) : functions_(functions) {}

  // The index of that function, added if need be.
  uint32_t add(Function function) {
    std::string key = function.name + '\0' + function.module + (function.managed ? "\1" : "\2");
    if (function.type) key += '\3';
    if (is_made_for_async_main(function)) key += '\4';
    const auto [at, made] = known_.try_emplace(std::move(key), static_cast<uint32_t>(functions_.size()));
    if (made) functions_.push_back(std::move(function));
    return at->second;
  }

 private:
  std::vector<Function>& functions_;
  std::unordered_map<std::string, uint32_t> known_;
};

}  // namespace oriel::profile
