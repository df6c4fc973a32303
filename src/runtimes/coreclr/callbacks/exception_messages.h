// Messages of exceptions: the first few different ones of each class, and some later ones.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "runtimes/coreclr/names/objects.h"

namespace oriel::coreclr {

class ExceptionMessages {
 public:
  static constexpr size_t kOfClass = 3;
  static constexpr size_t kMostBytes = 240;
  static constexpr uint64_t kOften = 100'000'000;  // nanoseconds

  // Copies the exception's message to `text` if its class has had fewer than kOfClass messages so far and not this one,
  // or if none was reported for kOften: an exception that ends the program rarely comes out of a storm of exceptions.
  // The message is the one that the exception was created with; a message that its class computes is not known. Neither
  // calls the program's code nor allocates on its heap. The exception must not move meanwhile. Any thread.
  bool take_new(ObjectFields& fields, oriel_object* exception, char (&text)[kMostBytes + 1]);

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
  std::unordered_map<uintptr_t, OfClass> known_;  // by ClassID; an id that is reused for another class keeps its count
};

}  // namespace oriel::coreclr
