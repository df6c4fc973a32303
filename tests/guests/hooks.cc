// Counts by enter, leave and tail-call hooks how often each method of HOOKS_MODULE (hooked.dll) begins, ends, makes a
// tail call and is left by an exception, and adds up the arguments and results of methods named in HOOKS_KNOWN. Writes
// them to HOOKS_FILE, with its number for %n, one line for each method: token, the four counts, sums of arguments and
// of results. Its number selects how:
//
//   01…  version 3 with info, by function ids        11…  with info, by client ids of its own
//   21…  version 3 without info, by client ids       31…  the same for all methods, with nothing but a count
//   41…  version 2 with info     51…  without        61…  version 1
//   71…  makes requests that are refused, and writes the answers
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <sstream>
#include <string>

#include "guest.h"

namespace {

constexpr uint32_t kJit = 0x20, kExceptions = 0x40, kEnterLeave = 0x1000, kArguments = 0x2000000, kResults = 0x4000000,
                   kFrames = 0x8000000, kSnapshots = 0x10000000, kInfo = kArguments | kResults | kFrames;

struct Counts {
  // Hooks in assembly count the first two.
  std::atomic<uint64_t> entered{0}, left{0}, tail_called{0}, unwound{0}, arguments{0}, results{0};
  bool known = false;
};

// The client id of a method.
struct Client {
  Counts* counts;
  clr::Id function;
  clr::Info* info;
};

struct Range {
  clr::Id start;
  uint32_t length;
};
struct Arguments {
  uint32_t count;
  uint32_t size;
  Range ranges[1];
};

uint64_t sum_of(const Range& range, uint64_t seed) {
  uint64_t sum = seed;
  for (uint32_t i = 0; i < range.length; ++i)
    sum = (sum ^ reinterpret_cast<const uint8_t*>(range.start)[i]) * 0x100000001b3;
  return sum;
}

uint64_t sum_of(const Arguments& arguments) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < arguments.count; ++i) sum = sum_of(arguments.ranges[i], sum + i + 1);
  return sum;
}

// The number of stack frames that the runtime finds from within a hook, or its error.
uint64_t stack_depth(clr::Info& info) {
  using Frame = clr::HRESULT (*)(clr::Id, clr::Id, clr::Id, uint32_t, uint8_t*, void*);
  const Frame count = [](clr::Id function, clr::Id, clr::Id, uint32_t, uint8_t*, void* depth) {
    if (function != 0) ++*static_cast<uint64_t*>(depth);
    return clr::S_OK;
  };
  uint64_t depth = 0;
  const clr::HRESULT result = info.DoStackSnapshot(0, reinterpret_cast<void*>(count), 0, &depth, nullptr, 0);
  return result < 0 ? static_cast<uint32_t>(result) : depth;
}

class Hooks final : public Guest {
 public:
  using Guest::Guest;
  clr::HRESULT start() override;

  clr::HRESULT JITCompilationStarted(clr::Id function, clr::BOOL) override {
    client_of(function);
    return clr::S_OK;
  }
  clr::HRESULT ExceptionUnwindFunctionEnter(clr::Id function) override {
    if (Client* client = client_of(function)) ++client->counts->unwound;
    return clr::S_OK;
  }
  clr::HRESULT Shutdown() override;

  // For methods that were met before: asks the runtime nothing.
  Client* seen(clr::Id function) {
    const std::shared_lock guard(lock_);
    const auto found = clients_.find(function);
    return found == clients_.end() ? nullptr : found->second.get();
  }
  // Null: not in the module under test.
  Client* client_of(clr::Id function);

 private:
  bool is_ours(clr::Id module);
  void read_known();
  clr::HRESULT set_hooks();
  void ask_in_vain(const char* when);

  std::shared_mutex lock_;
  std::map<clr::Id, std::unique_ptr<Client>> clients_;
  std::map<clr::Token, std::unique_ptr<Counts>> counts_;
  std::set<clr::Token> known_;
  std::string answers_;
};

// Hooks are plain functions, so there is only one profiler of each kind without client ids.
Hooks* by_function = nullptr;

Client* of_function(clr::Id id) { return by_function->seen(id); }
Client* of_client(clr::Id id) { return reinterpret_cast<Client*>(id); }

// Version 3 with info.
template <Client* (*Find)(clr::Id)>
struct WithInfo {
  static void entered(clr::Id id, clr::Id info) {
    Client* client = Find(id);
    if (client == nullptr) return;
    ++client->counts->entered;
    if (!client->counts->known) return;
    alignas(Arguments) char room[1024];
    uint32_t size = sizeof room;
    clr::Id frame = 0;
    auto* arguments = reinterpret_cast<Arguments*>(room);
    if (client->info->GetFunctionEnter3Info(client->function, info, &frame, &size, arguments) >= 0)
      client->counts->arguments += sum_of(*arguments) + stack_depth(*client->info);
  }
  static void left(clr::Id id, clr::Id info) {
    Client* client = Find(id);
    if (client == nullptr) return;
    ++client->counts->left;
    if (!client->counts->known) return;
    Range result{};
    clr::Id frame = 0;
    if (client->info->GetFunctionLeave3Info(client->function, info, &frame, &result) >= 0)
      client->counts->results += sum_of(result, 1);
  }
  static void tail_called(clr::Id id, clr::Id info) {
    Client* client = Find(id);
    clr::Id frame = 0;
    if (client != nullptr && client->info->GetFunctionTailcall3Info(client->function, info, &frame) >= 0)
      ++client->counts->tail_called;
  }
};

// The second version. Values that its profilers did not request are null.
struct Second {
  static void entered(clr::Id function, clr::Id id, clr::Id frame, const Arguments* arguments) {
    Counts& counts = *of_client(id)->counts;
    if (of_client(id)->function == function) ++counts.entered;
    if (counts.known) counts.arguments += arguments != nullptr ? sum_of(*arguments) : frame != 0;
  }
  static void left(clr::Id function, clr::Id id, clr::Id frame, const Range* result) {
    Counts& counts = *of_client(id)->counts;
    if (of_client(id)->function == function) ++counts.left;
    if (counts.known) counts.results += result != nullptr ? sum_of(*result, 1) : frame != 0;
  }
  static void tail_called(clr::Id, clr::Id id, clr::Id) { ++of_client(id)->counts->tail_called; }
};

struct First {
  static void entered(clr::Id id) { ++of_client(id)->counts->entered; }
  static void left(clr::Id id) { ++of_client(id)->counts->left; }
  static void tail_called(clr::Id id) { ++of_client(id)->counts->tail_called; }
};

}  // namespace

extern "C" {
__attribute__((used)) void hooks_entered(Client* client) {
  ++client->counts->entered;
  if (client->counts->known) client->counts->arguments += stack_depth(*client->info);
}
__attribute__((used)) void hooks_left(Client* client) { ++client->counts->left; }
__attribute__((used)) void hooks_tail_called(Client* client) { ++client->counts->tail_called; }

// Without info the method's code calls the hook itself, with the client id in r14 on enter and in rdi on leave.
// Registers that may hold arguments or results are preserved.
#define KEEPING_ALL(id, function)                                                        \
  asm("push %rbp\n mov %rsp, %rbp\n push %rax\n push %rcx\n push %rdx\n push %rsi\n"     \
      "push %rdi\n push %r8\n push %r9\n push %r10\n push %r11\n sub $136, %rsp\n"       \
      "movups %xmm0, (%rsp)\n movups %xmm1, 16(%rsp)\n movups %xmm2, 32(%rsp)\n"         \
      "movups %xmm3, 48(%rsp)\n movups %xmm4, 64(%rsp)\n movups %xmm5, 80(%rsp)\n"       \
      "movups %xmm6, 96(%rsp)\n movups %xmm7, 112(%rsp)\n mov %" id                      \
      ", %rdi\n"                                                                         \
      "call " function                                                                   \
      "\n movups (%rsp), %xmm0\n movups 16(%rsp), %xmm1\n"                               \
      "movups 32(%rsp), %xmm2\n movups 48(%rsp), %xmm3\n movups 64(%rsp), %xmm4\n"       \
      "movups 80(%rsp), %xmm5\n movups 96(%rsp), %xmm6\n movups 112(%rsp), %xmm7\n"      \
      "add $136, %rsp\n pop %r11\n pop %r10\n pop %r9\n pop %r8\n pop %rdi\n pop %rsi\n" \
      "pop %rdx\n pop %rcx\n pop %rax\n pop %rbp\n ret")
__attribute__((naked)) static void naked_entered() { KEEPING_ALL("r14", "hooks_entered"); }
__attribute__((naked)) static void naked_left() { KEEPING_ALL("rdi", "hooks_left"); }
__attribute__((naked)) static void naked_tail_called() { KEEPING_ALL("rdi", "hooks_tail_called"); }
// The smallest possible hooks.
__attribute__((naked)) static void least_entered() { asm("incq (%r14)\n ret"); }
__attribute__((naked)) static void least_left() { asm("incq 8(%rdi)\n ret"); }
}

namespace {

template <typename Function>
void* address(Function* function) {
  return reinterpret_cast<void*>(function);
}

clr::Id map_ours(clr::Id function, void* profiler, clr::BOOL* hook) {
  Client* client = static_cast<Hooks*>(profiler)->client_of(function);
  *hook = client != nullptr;
  return reinterpret_cast<clr::Id>(client);
}

clr::Id map_all(clr::Id, void* counts, clr::BOOL* hook) {
  *hook = 1;
  return reinterpret_cast<clr::Id>(counts);
}

template <typename Kind>
clr::HRESULT set(clr::Info& info, clr::HRESULT (clr::Info::*slot)(void*, void*, void*)) {
  return (info.*slot)(address(Kind::entered), address(Kind::left), address(Kind::tail_called));
}

clr::HRESULT Hooks::start() {
  read_known();
  const uint32_t kind = number_ >> 4;
  const bool with_info = kind < 2 || kind == 4 || kind == 7;
  if (kind == 0) by_function = this;
  if (kind == 7) ask_in_vain("before");
  // With snapshots, version 2 would no longer be without info.
  const uint32_t common = kEnterLeave | kExceptions | (kind == 0 ? kJit : 0) | (kind < 3 ? kSnapshots : 0);
  const clr::HRESULT result = info_->SetEventMask(kind == 3 ? kEnterLeave : common | (with_info ? kInfo : 0));
  if (result < 0) return result;
  if (kind == 7) ask_in_vain("after");
  if (kind == 3) info_->SetFunctionIDMapper2(address(map_all), new Counts);
  if (kind != 0 && kind != 3) info_->SetFunctionIDMapper2(address(map_ours), this);
  return set_hooks();
}

clr::HRESULT Hooks::set_hooks() {
  switch (number_ >> 4) {
    case 0:
      return set<WithInfo<of_function>>(*info_, &clr::Info::SetEnterLeaveFunctionHooks3WithInfo);
    case 2:
      return info_->SetEnterLeaveFunctionHooks3(address(naked_entered), address(naked_left),
                                                address(naked_tail_called));
    case 3:
      return info_->SetEnterLeaveFunctionHooks3(address(least_entered), address(least_left), address(least_left));
    case 4:
    case 5:
      return set<Second>(*info_, &clr::Info::SetEnterLeaveFunctionHooks2);
    case 6:
      return set<First>(*info_, &clr::Info::SetEnterLeaveFunctionHooks);
    default:
      return set<WithInfo<of_client>>(*info_, &clr::Info::SetEnterLeaveFunctionHooks3WithInfo);
  }
}

void Hooks::ask_in_vain(const char* when) {
  using Call = clr::HRESULT (clr::Info::*)(void*, void*, void*);
  constexpr Call kCalls[] = {&clr::Info::SetEnterLeaveFunctionHooks, &clr::Info::SetEnterLeaveFunctionHooks2,
                             &clr::Info::SetEnterLeaveFunctionHooks3, &clr::Info::SetEnterLeaveFunctionHooks3WithInfo};
  std::ostringstream out;
  out << "#" << when << std::hex;
  const auto asked = [&](clr::HRESULT result) { out << " " << static_cast<uint32_t>(result); };
  for (const Call call : kCalls) asked((info_->*call)(nullptr, nullptr, nullptr));
  if (std::string(when) == "before") asked(set<WithInfo<of_client>>(*info_, kCalls[3]));
  if (std::string(when) == "after") asked(info_->SetEnterLeaveFunctionHooks3(address(naked_entered), nullptr, nullptr));
  if (std::string(when) == "started") {
    for (const Call call : kCalls) asked(set<WithInfo<of_client>>(*info_, call));
    asked(info_->SetFunctionIDMapper2(address(map_ours), this));
    asked(info_->SetFunctionIDMapper(nullptr));
    clr::Id frame = 0;
    Range result{};
    asked(info_->GetFunctionLeave3Info(0, 0, &frame, &result));
  }
  answers_ += out.str() + "\n";
}

void Hooks::read_known() {
  std::istringstream tokens(std::getenv("HOOKS_KNOWN") ? std::getenv("HOOKS_KNOWN") : "");
  for (clr::Token token; tokens >> std::hex >> token;) known_.insert(token);
}

bool Hooks::is_ours(clr::Id module) {
  clr::Wide name[512];
  uint32_t size = 0;
  const uint8_t* base = nullptr;
  clr::Id assembly = 0;
  if (info_->GetModuleInfo(module, &base, 512, &size, name, &assembly) < 0 || size == 0) return false;
  const char* wanted = std::getenv("HOOKS_MODULE");
  return std::string(name, name + size - 1).ends_with(wanted != nullptr ? wanted : "hooked.dll");
}

Client* Hooks::client_of(clr::Id function) {
  if (Client* client = seen(function)) return client;
  clr::Id klass = 0, module = 0;
  clr::Token token = 0;
  if (info_->GetFunctionInfo(function, &klass, &module, &token) < 0 || !is_ours(module)) return nullptr;
  const std::lock_guard guard(lock_);
  std::unique_ptr<Counts>& counts = counts_[token];
  if (!counts) counts = std::make_unique<Counts>();
  counts->known = known_.contains(token);
  std::unique_ptr<Client>& client = clients_[function];
  if (!client) client.reset(new Client{counts.get(), function, info_});
  return client.get();
}

clr::HRESULT Hooks::Shutdown() {
  if (number_ >> 4 == 7) ask_in_vain("started");
  std::string path = std::getenv("HOOKS_FILE") ? std::getenv("HOOKS_FILE") : "";
  if (const size_t at = path.find("%n"); at != path.npos) path.replace(at, 2, std::to_string(number_));
  FILE* file = path.empty() ? nullptr : std::fopen(path.c_str(), "w");
  if (file == nullptr) return clr::S_OK;
  std::fputs(answers_.c_str(), file);
  const std::lock_guard guard(lock_);
  for (const auto& [token, counts] : counts_)
    std::fprintf(file, "%08x %lu %lu %lu %lu %lx %lx\n", token, counts->entered.load(), counts->left.load(),
                 counts->tail_called.load(), counts->unwound.load(), counts->arguments.load(), counts->results.load());
  std::fclose(file);
  return clr::S_OK;
}

}  // namespace

Guest* make_guest(Number number) { return new Hooks(number); }
