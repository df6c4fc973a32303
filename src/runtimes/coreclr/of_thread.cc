#include "runtimes/coreclr/of_thread.h"

#include <pthread.h>

#include <new>

namespace oriel::coreclr {
namespace {

constinit __attribute__((tls_model("initial-exec"))) thread_local OfThread* own = nullptr;

// pthread calls this as the thread ends.
void forget(void* of_thread) {
  own = nullptr;
  delete static_cast<OfThread*>(of_thread);
}

pthread_key_t make_key() {
  pthread_key_t key{};
  return pthread_key_create(&key, forget) == 0 ? key : static_cast<pthread_key_t>(-1);
}
const pthread_key_t own_key = make_key();

}  // namespace

OfThread* of_thread() {
  if (own != nullptr) return own;
  own = new (std::nothrow) OfThread;
  if (own != nullptr) pthread_setspecific(own_key, own);
  return own;
}

}  // namespace oriel::coreclr
