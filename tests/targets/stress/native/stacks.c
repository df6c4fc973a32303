// Stacks that are small, almost full, or made by hand. Below each lies memory with a pattern that nobody may write.
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "compute.h"

enum { CANARY = 65536, PATTERN = 0xa5 };

struct watched_stack {
  unsigned char* memory;  // CANARY bytes of the pattern, then the stack
  size_t size;
};

static struct watched_stack make_stack(size_t size) {
  struct watched_stack stack = {NULL, size};
  stack.memory = mmap(NULL, CANARY + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(stack.memory, PATTERN, CANARY);
  return stack;
}

// How many bytes below the stack were written; frees it.
static int end_stack(struct watched_stack stack) {
  int changed = 0;
  for (int i = 0; i < CANARY; i++) changed += stack.memory[i] != PATTERN;
  munmap(stack.memory, CANARY + stack.size);
  return changed;
}

static void* compute_on_thread(void* milliseconds) {
  stress_compute(*(int*)milliseconds);
  return NULL;
}

size_t stress_stacks_minimum(void) { return PTHREAD_STACK_MIN; }

// A thread with a stack of so many bytes; returns how many below it were written, -errno if it could not be started.
int stress_stacks_thread(size_t size, int milliseconds) {
  struct watched_stack stack = make_stack(size);
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack.memory + CANARY, size);
  const int error = pthread_create(&thread, &attributes, compute_on_thread, &milliseconds);
  if (error == 0) pthread_join(thread, NULL);
  const int changed = end_stack(stack);
  return error != 0 ? -error : changed;
}

// Goes down the calling thread's own stack until so few bytes are left, and computes there.
int stress_stacks_almost_full(size_t left, int milliseconds) {
  pthread_attr_t attributes;
  void* low;
  size_t size, guard;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_getguardsize(&attributes, &guard);
  pthread_attr_destroy(&attributes);
  char here;
  const intptr_t room = &here - (char*)low - (intptr_t)left;
  if (room <= 0) return -ENOMEM;
  // The first call of a function of another library needs much more than the later ones.
  stress_compute(1);
  // One byte a page, from the top: the main thread's stack grows.
  volatile char* taken = __builtin_alloca(room);
  for (intptr_t i = room - 1; i >= 0; i -= 1024) taken[i] = 1;
  stress_compute(milliseconds);
  return taken[room - 1] - 1;
}

struct almost_full {
  size_t left;
  int milliseconds, result;
};

static void* fill_stack(void* argument) {
  struct almost_full* full = argument;
  full->result = stress_stacks_almost_full(full->left, full->milliseconds);
  return NULL;
}

// The same on a thread that the runtime does not know.
int stress_stacks_almost_full_foreign(size_t left, int milliseconds) {
  struct almost_full full = {left, milliseconds, -1};
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  pthread_create(&thread, &attributes, fill_stack, &full);
  pthread_join(thread, NULL);
  return full.result;
}

static __thread ucontext_t main_context, coroutine_context;
static __thread int coroutine_milliseconds, coroutine_turns;

static void run_coroutine(void) {
  for (int i = 0; i < coroutine_turns; i++) {
    stress_compute(coroutine_milliseconds / coroutine_turns);
    swapcontext(&coroutine_context, &main_context);
  }
}

// A coroutine of ucontext(3) that is left and entered again ten times; returns how many bytes below its stack were
// written.
int stress_stacks_coroutine(size_t size, int milliseconds) {
  struct watched_stack stack = make_stack(size);
  coroutine_milliseconds = milliseconds;
  coroutine_turns = 10;
  getcontext(&coroutine_context);
  coroutine_context.uc_stack.ss_sp = stack.memory + CANARY;
  coroutine_context.uc_stack.ss_size = size;
  coroutine_context.uc_link = &main_context;
  makecontext(&coroutine_context, run_coroutine, 0);
  for (int i = 0; i <= coroutine_turns; i++) swapcontext(&main_context, &coroutine_context);
  return end_stack(stack);
}

// Calls compute(milliseconds) with the stack pointer at `top`, as fibers made by hand do.
__attribute__((naked, noinline)) static void compute_on_stack(int milliseconds, void* top,
                                                              void (*compute)(int milliseconds)) {
  (void)milliseconds, (void)top, (void)compute;
  __asm__(
      "push %rbp\n"
      "mov %rsp, %rbp\n"
      "mov %rsi, %rsp\n"
      "call *%rdx\n"
      "mov %rbp, %rsp\n"
      "pop %rbp\n"
      "ret\n");
}

int stress_stacks_by_hand(size_t size, int milliseconds) {
  struct watched_stack stack = make_stack(size);
  compute_on_stack(milliseconds, stack.memory + CANARY + size, stress_compute);
  return end_stack(stack);
}
