#include "base/process/own_thread.h"

#include <csignal>

namespace oriel {

int start_own_thread(pthread_t& thread, void* (*run)(void*), void* argument) {
  constexpr size_t kStack = 512u << 10;
  pthread_attr_t attributes;
  if (const int error = pthread_attr_init(&attributes)) return error;
  pthread_attr_setstacksize(&attributes, kStack);
  // The new thread inherits the mask.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int error = pthread_create(&thread, &attributes, run, argument);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  return error;
}

}  // namespace oriel
