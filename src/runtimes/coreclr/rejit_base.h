// What a method's new version is made of while guests and Oriel make it, one on top of the other, on one thread.
#pragma once

#include <cstdint>
#include <span>

#include "runtimes/coreclr/method_key.h"

namespace oriel::coreclr {

// While it lives, the calling thread makes a version of the method, and what was made of it so far is `body`.
class RejitBase {
 public:
  RejitBase(const MethodKey& key, std::span<const uint8_t> body);
  ~RejitBase();
  RejitBase(const RejitBase&) = delete;
  RejitBase& operator=(const RejitBase&) = delete;

  void set(std::span<const uint8_t> body) { body_ = body; }
  std::span<const uint8_t> body() const { return body_; }
  // Whether anybody was shown a body that a guest set.
  bool was_shown() const { return was_shown_; }

  // Of the version of that method that the calling thread makes; empty if it makes none, or nobody changed it so far.
  static std::span<const uint8_t> of(const MethodKey& key);
  // The same, for somebody who may keep it.
  static std::span<const uint8_t> show(const MethodKey& key);
  // If the calling thread makes a version of that method: this is it so far.
  static void replace(const MethodKey& key, std::span<const uint8_t> body);

 private:
  static RejitBase* find(const MethodKey& key);

  const MethodKey key_;
  std::span<const uint8_t> body_;
  bool was_shown_ = false;
  RejitBase* const outer_;
};

}  // namespace oriel::coreclr
