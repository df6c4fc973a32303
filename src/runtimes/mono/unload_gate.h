// Keeps questions to Mono apart from unloads: Mono does not check what it is asked about, and a question about what is
// freed meanwhile crashes the program.
//
// Whoever asks outside of a callback about the thing itself holds the gate, an Asking. An image that is being unloaded
// is first marked; then its names are fetched; then the callback waits until earlier questions are answered. So later
// questions find the mark.
#pragma once

#include <cstdint>

namespace oriel::mono {

// While it exists no unload gets past its callback. Never held while a module is called; may be nested. Any thread.
class Asking {
 public:
  Asking();
  ~Asking();
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

  // Whether another thread is unloading this image, or any image.
  bool is_going(uintptr_t image) const;
  bool any_is_going() const;
};

namespace unload {

// The calling thread begins to unload the image. Then, when its names are known, it waits for questions of others, for
// 10 s at most. Then the image is gone.
void begins(uintptr_t image);
void wait_for_questions();
void is_over(uintptr_t image);

// How many images have begun to be unloaded.
uint32_t begun_so_far();

// Waits until no other thread unloads an image, for 50 ms at most. The caller does not hold the gate.
void wait_for_unloads();

}  // namespace unload
}  // namespace oriel::mono
