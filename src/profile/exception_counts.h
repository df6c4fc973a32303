// Processor of exceptions: how many of each class were thrown, what they say, and which methods caught them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "log/event.h"
#include "profile/names.h"
#include "profile/profile.h"

namespace oriel::profile {

// Adds a message to those of a type, unless it is there or there are enough.
void add_message(const std::string& text, uint32_t stack, std::vector<Exceptions::Message>& messages);

class ExceptionCounts {
 public:
  // Whether the event was about an exception. `thread`: index into the profile's threads; `stack`: into its nodes, 0 if
  // not known.
  bool add(uint32_t thread, const log::Event& event, uint32_t stack);
  void finish(const Names& names, Profile& profile) const;

 private:
  struct Counts {
    uint64_t thrown = 0;
    uint64_t caught = 0;
    std::map<uint64_t, uint64_t> caught_in;  // by method id
    std::map<uint32_t, uint64_t> thrown_at;  // by stack
    std::vector<Exceptions::Message> messages;
  };
  struct OfThread {
    std::string message;  // of the exception whose throw comes next
  };

  void add_throw(OfThread& thread, const log::Event& event, uint32_t stack);
  void add_catch(const log::Event& event);

  std::map<uint64_t, Counts> by_class_;
  std::map<uint32_t, OfThread> by_thread_;
};

}  // namespace oriel::profile
