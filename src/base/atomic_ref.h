// AtomicRef, for standard libraries that lack it (libc++ before 19): a variable that some access as an atomic one.
#pragma once

#include <atomic>

namespace oriel {

template <typename T>
class AtomicRef {
 public:
  explicit AtomicRef(T& variable) : variable_(&variable) {}

  T load(std::memory_order order = std::memory_order_seq_cst) const {
    return __atomic_load_n(variable_, number(order));
  }
  void store(T value, std::memory_order order = std::memory_order_seq_cst) const {
    __atomic_store_n(variable_, value, number(order));
  }
  T fetch_add(T value, std::memory_order order) const { return __atomic_fetch_add(variable_, value, number(order)); }
  T fetch_sub(T value, std::memory_order order) const { return __atomic_fetch_sub(variable_, value, number(order)); }

 private:
  static constexpr int number(std::memory_order order) { return static_cast<int>(order); }

  T* variable_;
};

}  // namespace oriel
