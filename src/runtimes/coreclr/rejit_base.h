// The body of a method's new version while guests and Oriel change it, one on top of the other, on one thread.
#pragma once

#include <cstdint>
#include <span>

#include "runtimes/coreclr/method_key.h"

namespace oriel::coreclr {

// While it exists, the calling thread composes a version of the method; `body` is what it starts from.
class RejitBase {
 public:
  RejitBase(const MethodKey& key, std::span<const uint8_t> body);
  ~RejitBase();
  RejitBase(const RejitBase&) = delete;
  RejitBase& operator=(const RejitBase&) = delete;

  void set(std::span<const uint8_t> body) { body_ = body; }
  std::span<const uint8_t> body() const { return body_; }
  // Whether anybody has seen a body that a guest set.
  bool was_shown() const { return was_shown_; }

  // The body so far of the version that the calling thread composes of that method. Empty if it composes none, or if
  // nobody has changed it.
  static std::span<const uint8_t> of(const MethodKey& key);
  // Like `of`, for a caller that may keep the body.
  static std::span<const uint8_t> show(const MethodKey& key);
  // Replaces the body so far, if the calling thread composes a version of that method.
  static void replace(const MethodKey& key, std::span<const uint8_t> body);

 private:
  static RejitBase* find(const MethodKey& key);

  const MethodKey key_;
  std::span<const uint8_t> body_;
  bool was_shown_ = false;
  RejitBase* const outer_;
};

}  // namespace oriel::coreclr
