#include "runtimes/mono/functions.h"

#include <dlfcn.h>
#include <signal.h>

#include <atomic>

#include "engine/messages.h"

namespace oriel::mono {

namespace {

constinit std::atomic<bool> has_ended{false};

// Where Mono's functions are; nullptr: anywhere. An embedder may have loaded Mono with RTLD_LOCAL.
constinit void* library = nullptr;

void* library_at(const void* address) {
  Dl_info info{};
  if (!dladdr(address, &info) || !info.dli_fname) return nullptr;
  void* const opened = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  dlerror();
  return opened;
}

}  // namespace

constinit Functions api;

void* function_named(const char* name) {
  void* const found = library ? dlsym(library, name) : nullptr;
  return found ? found : dlsym(RTLD_DEFAULT, name);
}

std::string find_functions(const void* address) {
  library = library_at(address);
#define MONO_FUNCTION(result, name, parameters)                           \
  api.name = reinterpret_cast<decltype(api.name)>(function_named(#name)); \
  if (!api.name) return #name;
#include "runtimes/mono/functions.def"
#undef MONO_FUNCTION
  return "";
}

namespace {

// Between becoming known to Mono and being left out of collections, a thread is stopped by one like all others, by
// Mono's signals. Oriel's threads block all signals, and the collection would wait for ever.
class CanBeStopped {
 public:
  CanBeStopped() {
    sigset_t stops;
    sigemptyset(&stops);
    // Mono takes real-time signals that are free, and these two where there are none.
    for (const int number : {SIGPWR, SIGXCPU}) sigaddset(&stops, number);
    for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) sigaddset(&stops, number);
    pthread_sigmask(SIG_UNBLOCK, &stops, &before_);
  }
  ~CanBeStopped() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  CanBeStopped(const CanBeStopped&) = delete;
  CanBeStopped& operator=(const CanBeStopped&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

void forbid_questions() { has_ended.store(true); }

bool may_ask() {
  if (has_ended.load()) return false;
  if (api.mono_thread_info_current_unchecked()) return true;
  if (!is_tool_thread()) return false;
  const CanBeStopped while_attached;
  api.mono_threads_attach_tools_thread();
  return true;
}

std::string taken(char* text) {
  std::string copy = copied(text);
  if (text) api.mono_free(text);
  return copy;
}

}  // namespace oriel::mono
