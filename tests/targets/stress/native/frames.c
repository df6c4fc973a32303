// Native functions that hold anything but a frame in rbp: a number, an address that is not theirs, a chain without end.
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Counts down with the value in rbp. The unwind information of this is right; what is "untold" has none.
__attribute__((naked, noinline)) void stress_frames_count(uintptr_t rbp, long rounds) {
  (void)rbp, (void)rounds;
  __asm__(
      "push %rbp\n"
      ".cfi_adjust_cfa_offset 8\n"
      ".cfi_rel_offset %rbp, 0\n"
      "mov %rdi, %rbp\n"
      "1: dec %rsi\n"
      "jnz 1b\n"
      "pop %rbp\n"
      ".cfi_adjust_cfa_offset -8\n"
      ".cfi_restore %rbp\n"
      "ret\n");
}

void stress_frames_count_untold(uintptr_t rbp, long rounds);
__asm__(
    ".globl stress_frames_count_untold\n"
    ".type stress_frames_count_untold, @function\n"
    "stress_frames_count_untold:\n"
    "push %rbp\n"
    "mov %rdi, %rbp\n"
    "1: dec %rsi\n"
    "jnz 1b\n"
    "pop %rbp\n"
    "ret\n"
    ".size stress_frames_count_untold, . - stress_frames_count_untold\n");

// Calls the function with the value in rbp.
__attribute__((naked, noinline)) void stress_frames_call(uintptr_t rbp, void (*function)(void)) {
  (void)rbp, (void)function;
  __asm__(
      "push %rbp\n"
      ".cfi_adjust_cfa_offset 8\n"
      ".cfi_rel_offset %rbp, 0\n"
      "mov %rdi, %rbp\n"
      "call *%rsi\n"
      "pop %rbp\n"
      ".cfi_adjust_cfa_offset -8\n"
      ".cfi_restore %rbp\n"
      "ret\n");
}

void stress_frames_call_untold(uintptr_t rbp, void (*function)(void));
__asm__(
    ".globl stress_frames_call_untold\n"
    ".type stress_frames_call_untold, @function\n"
    "stress_frames_call_untold:\n"
    "push %rbp\n"
    "mov %rdi, %rbp\n"
    "call *%rsi\n"
    "pop %rbp\n"
    "ret\n"
    ".size stress_frames_call_untold, . - stress_frames_call_untold\n");

// The untold count where no library is: another compiler's code, as far as anyone can see. NULL if that is not allowed.
void* stress_frames_anonymous(void) {
  static const unsigned char code[] = {0x55, 0x48, 0x89, 0xfd, 0x48, 0xff, 0xce, 0x75, 0xfb, 0x5d, 0xc3};
  void* memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(memory, code, sizeof code);
  return mprotect(memory, 4096, PROT_READ | PROT_EXEC) == 0 ? memory : NULL;
}

struct frame {
  struct frame* next;
  uintptr_t returns_to;
};

// A frame on the stack, as it should be but for where it returns to, and nothing else to go by.
void stress_frames_returning_to(uintptr_t address, long rounds) {
  volatile struct frame frame = {__builtin_frame_address(0), address};
  stress_frames_count_untold((uintptr_t)&frame, rounds);
}

// The same below a call of the function.
void stress_frames_call_returning_to(uintptr_t address, void (*function)(void)) {
  volatile struct frame frame = {__builtin_frame_address(0), address};
  stress_frames_call_untold((uintptr_t)&frame, function);
}

enum { CHAIN = 10000 };

static uintptr_t forge_chain(void) {
  static struct frame chain[CHAIN];
  for (int i = 0; i < CHAIN; i++)
    chain[i] = (struct frame){&chain[(i + 1) % CHAIN], (uintptr_t)stress_frames_count + i};
  return (uintptr_t)chain;
}

// Values to put in rbp, by number; 0 after the last but one.
uintptr_t stress_frames_forged(int number) {
  static struct frame self, two[2];
  unsigned char* pages = NULL;
  const long page = sysconf(_SC_PAGESIZE);
  self = (struct frame){&self, (uintptr_t)stress_frames_call};
  two[0] = (struct frame){&two[1], (uintptr_t)stress_frames_call};
  two[1] = (struct frame){&two[0], 1000};
  switch (number) {
    case 0:
      return 1;
    case 1:
      return UINTPTR_MAX;
    case 2:
      return 0x7f5f000003e8;
    case 3:
      return 0x8000000000000000;
    case 4:
      return (uintptr_t)&self;
    case 5:
      return (uintptr_t)two;
    case 6:
      return forge_chain();
    case 7:
      return (uintptr_t)stress_frames_count;
    case 8:
      return (uintptr_t)__builtin_frame_address(0) + 1;
    case 9:
      return (uintptr_t)__builtin_frame_address(0) & ~0xffful;
    case 10:
      return (uintptr_t)__builtin_frame_address(0) | 0xff8;
    case 11:  // the last eight bytes before memory that cannot be read
      pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      mprotect(pages + page, page, PROT_NONE);
      return (uintptr_t)pages + page - 8;
    case 12:  // memory that is no more
      pages = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      munmap(pages, page);
      return (uintptr_t)pages;
    default:
      return 0;
  }
}
