// Which messages of exceptions are told: the first few different ones of each class, and some later ones.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "base/fnv1a.h"

namespace oriel {

class ChosenMessages {
 public:
  static constexpr size_t kOfClass = 3;
  static constexpr size_t kMostBytes = 240;
  static constexpr uint64_t kOften = 100'000'000;  // nanoseconds

  // Whether to tell the message of an exception of this class (by the runtime's id; one that is used again keeps its
  // count): it has had fewer than kOfClass so far and not this one, or none was told for kOften, because an exception
  // that ends the program rarely comes out of a storm of them. `read` returns the message as bytes, empty if there is
  // none; it is called only if it may be told. Any thread.
  template <typename Read>
  bool take_new(uintptr_t klass, Read read) {
    const bool due = is_due();
    if (!due && !wants_more(klass)) return false;
    const std::string_view message = read();
    return !message.empty() && (is_new(klass, fnv1a(message)) || due);
  }

 private:
  struct OfClass {
    size_t count = 0;
    std::array<uint64_t, kOfClass> hashes = {};
  };
  bool is_new(uintptr_t klass, uint64_t hash);
  bool wants_more(uintptr_t klass);
  bool is_due();

  std::atomic<uint64_t> due_{0};  // by clock_monotonic_ns
  std::mutex lock_;
  std::unordered_map<uintptr_t, OfClass> known_;
};

}  // namespace oriel
