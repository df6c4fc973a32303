// Builds profiles for the tests of exports and viewer.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "profile/profile.h"

namespace oriel::testing {

class ProfileBuilder {
 public:
  ProfileBuilder() {
    profile_.functions.emplace_back();
    profile_.nodes.emplace_back();
    profile_.sampling_mode = "process";
    profile_.sampling_hz = 1000;
    profile_.outcome.ended = true;
    profile_.intro.properties = {{"command", "dotnet shop.dll --fast"}, {"pid", "4711"}};
  }

  profile::Profile& profile() { return profile_; }

  uint32_t function(const std::string& name, const std::string& module = "", bool managed = true,
                    const std::string& raw_name = "") {
    const auto [at, is_new] = functions_.try_emplace(name + "\n" + module, profile_.functions.size());
    if (is_new) profile_.functions.push_back({name, raw_name, module, managed});
    return at->second;
  }

  uint32_t thread(const std::string& name, uint64_t os_id) {
    profile::Thread thread;
    thread.id = profile_.threads.size() + 1;
    thread.os_id = os_id;
    thread.managed = true;
    thread.name = name;
    profile_.threads.push_back(thread);
    return static_cast<uint32_t>(profile_.threads.size() - 1);
  }

  // The node of that stack, outermost function first.
  uint32_t stack(const std::vector<uint32_t>& functions, bool truncated = false) {
    uint32_t node = 0;
    for (const uint32_t function : functions) {
      const bool cut = truncated && node == 0;
      const auto [at, is_new] = nodes_.try_emplace({node, function * 2 + cut}, profile_.nodes.size());
      if (is_new) profile_.nodes.push_back({node, function, cut});
      node = at->second;
    }
    return node;
  }

  // Functions by name, without modules.
  uint32_t named_stack(const std::vector<std::string>& names) {
    std::vector<uint32_t> functions;
    for (const std::string& name : names) functions.push_back(function(name));
    return stack(functions);
  }

  void sample(uint32_t thread, uint32_t node, uint32_t periods = 1) {
    profile_.samples.push_back({static_cast<int64_t>(profile_.samples.size()) * 1'000'000, thread, node, periods});
    profile_.threads[thread].samples += periods;
  }

 private:
  profile::Profile profile_;
  std::map<std::string, uint32_t> functions_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> nodes_;
};

}  // namespace oriel::testing
