#include "base/process/foreign_library.h"

#include <dlfcn.h>
#include <elf.h>

#include <cstring>
#include <mutex>
#include <set>

#include "base/files/input_file.h"
#include "base/machine.h"
#include "base/process/foreign_call.h"

namespace oriel {
namespace {

constexpr int kLoongArch = 258;  // EM_LOONGARCH, which older headers lack

struct Machine {
  int number;
  const char* name;
};
constexpr Machine kMachines[] = {
    {EM_386, "32-bit x86"}, {EM_X86_64, "x64"},  {EM_ARM, "32-bit Arm"}, {EM_AARCH64, "Arm64"},
    {EM_S390, "s390x"},     {EM_PPC64, "POWER"}, {EM_RISCV, "RISC-V"},   {kLoongArch, "LoongArch"},
};

// The processor that a library is for, if it is a different one; else "", also if it is no library.
std::string other_machine(const std::string& path) {
  unsigned char header[EI_NIDENT + 2 * sizeof(Elf64_Half)] = {};
  const Result<InputFile> file = InputFile::open(path, UINT64_MAX);
  if (!file || !file->read(0, header, sizeof header) || std::memcmp(header, ELFMAG, SELFMAG) != 0) return "";
  Elf64_Half number = 0;
  std::memcpy(&number, header + EI_NIDENT + sizeof(Elf64_Half), sizeof number);
  if (number == kOwnMachine) return "";
  for (const Machine& machine : kMachines)
    if (machine.number == number) return machine.name;
  return "machine " + std::to_string(number);
}

// Called like a library's entry point on Windows: with its handle and DLL_PROCESS_ATTACH.
using DllMain = int32_t (*)(void* library, uint32_t reason, void* reserved);
constexpr uint32_t kProcessAttach = 1;

bool is_first_use(void* library) {
  static std::mutex lock;
  static auto* const known = new std::set<void*>;
  const std::lock_guard guard(lock);
  return known->insert(library).second;
}

}  // namespace

Result<void*> load_foreign_library(const std::string& path) try {
  // The dynamic linker would block on a pipe. It searches for a name without '/' itself.
  if (path.find('/') != std::string::npos) {
    if (const Status status = check_input(path); !status)
      return Status::error("cannot be loaded: " + path + ": " + status.message());
  }
  void* const library = foreign_call([&] { return dlopen(path.c_str(), RTLD_LAZY); });
  if (library == nullptr) return Status::error("cannot be loaded: " + load_fault(path, dlerror()));
  const auto main = reinterpret_cast<DllMain>(dlsym(library, "DllMain"));
  const bool loads = main == nullptr || !is_first_use(library) ||
                     foreign_call([&] { return main(library, kProcessAttach, nullptr); }) != 0;
  return loads ? Result<void*>(library) : Status::error("refuses to be loaded (its DllMain answered FALSE)");
} catch (...) {
  return Status::error("threw an exception when it was loaded");
}

std::string load_fault(const std::string& path, const char* message) {
  std::string text = message ? message : "unknown error";
  if (const std::string machine = other_machine(path); !machine.empty())
    return path + " is for another processor (" + machine + ")";
  if (text.find("libc.musl") != std::string::npos)
    return path + " is made for musl, another C library than this system's (" + text + ")";
  return text;
}

}  // namespace oriel
