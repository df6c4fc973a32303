// Misbehaves in the phase that ORIEL_SMALL names, in the way of its number.
#include <stdexcept>
#include <thread>
#include <vector>

#include "oriel/plugins/graph.h"
#include "small.h"

namespace small {
namespace {

constexpr Number kAnswers = 1, kThrows = 2, kGarbage = 3, kKeeps = 4, kUnsound = 5, kThreads = 6;

class Faulty final : public Method {
 public:
  using Method::Method;

  HResult Initialize(IProfilerManager* manager) override {
    Method::Initialize(manager);
    return in("Initialize");
  }
  HResult OnAppDomainCreated(IAppDomainInfo*) override { return in("OnAppDomainCreated"); }
  HResult OnAssemblyLoaded(IAssemblyInfo*) override { return in("OnAssemblyLoaded"); }
  HResult OnModuleLoaded(IModuleInfo*) override { return in("OnModuleLoaded"); }
  HResult OnShutdown() override {
    if (number_ == kKeeps) ask_kept();
    return in("OnShutdown");
  }
  HResult ShouldInstrumentMethod(IMethodInfo* method, Bool, Bool* instrument) override {
    const bool is_ours = name_of(method) == "Subjects.Other";
    *instrument = number_ == kGarbage ? 0x5eed : is_ours;
    return is_ours || number_ == kGarbage ? in("ShouldInstrumentMethod") : kOk;
  }
  HResult BeforeInstrumentMethod(IMethodInfo*, Bool) override { return in("BeforeInstrumentMethod"); }
  HResult InstrumentMethod(IMethodInfo* method, Bool) override {
    if (number_ == kKeeps) keep(method);
    if (number_ == kUnsound) spoil(method);
    if (number_ == kThreads) ask_on_another_thread(method);
    if (number_ == kAnswers || number_ == kThrows) add_to_result(method, 1000);
    return in("InstrumentMethod");
  }
  HResult OnInstrumentationComplete(IMethodInfo*, Bool) override { return in("OnInstrumentationComplete"); }
  HResult AllowInlineSite(IMethodInfo*, IMethodInfo*, Bool* allow) override {
    *allow = number_ == kGarbage ? 0x5eed : 1;
    return in("AllowInlineSite");
  }

 private:
  HResult in(const std::string& phase) {
    if (phase != told()) return kOk;
    if (number_ == kThrows) throw std::runtime_error(phase);
    return number_ == kAnswers ? kFail : number_ == kGarbage ? 0x5eed : kOk;
  }

  void keep(IMethodInfo* method) {
    ComPtr<IInstructionGraph> graph;
    method->GetInstructions(graph.receive());
    ComPtr<IInstruction> at;
    graph->GetFirstInstruction(at.receive());
    while (at) {
      kept_.push_back(at);
      ComPtr<IInstruction> next;
      at->GetNextInstruction(next.receive());
      at = next;
    }
  }

  // The method was compiled long ago; the instructions must be unchanged.
  void ask_kept() {
    std::string names;
    for (const auto& instruction : kept_) {
      Bstr name = nullptr;
      instruction->GetOpCodeName(&name);
      names += " " + text_of(name);
    }
    std::fprintf(stderr, "kept%s\n", names.c_str());
  }

  // Pops one value more than the stack holds.
  void spoil(IMethodInfo* method) {
    ComPtr<IInstructionGraph> graph;
    ComPtr<IInstructionFactory> factory;
    ComPtr<IInstruction> first, add;
    method->GetInstructions(graph.receive());
    method->GetInstructionFactory(factory.receive());
    graph->GetFirstInstruction(first.receive());
    factory->CreateInstruction(Opcode::Add, add.receive());
    graph->InsertBefore(first.get(), add.get());
  }

  // Also asks for what is allowed in Initialize only.
  void ask_on_another_thread(IMethodInfo* method) {
    std::thread([&] {
      std::fprintf(stderr, "there %s\n", name_of(method).c_str());
      ComPtr<IProfilerManager2> second = query<IProfilerManager2>(manager_);
      std::fprintf(stderr, "DisableProfiling %08x\n", static_cast<unsigned>(second->DisableProfiling()));
      std::fprintf(stderr, "SetupProfilingEnvironment %08x\n",
                   static_cast<unsigned>(manager_->SetupProfilingEnvironment(nullptr, 0)));
      std::fprintf(stderr, "AddRawProfilerHook %08x\n", static_cast<unsigned>(manager_->AddRawProfilerHook(manager_)));
      std::fprintf(stderr, "RemoveInstrumentationMethod %08x\n",
                   static_cast<unsigned>(manager_->RemoveInstrumentationMethod(nullptr)));
      ComPtr<IInstructionGraph> graph;
      method->GetInstructions(graph.receive());
      const uint8_t code[] = {0x16, 0x2a};
      std::fprintf(stderr, "CreateBaseline %08x\n",
                   static_cast<unsigned>(graph->CreateBaseline(code, code + 2, 0, nullptr, 0, nullptr)));
    }).join();
  }

  std::vector<ComPtr<IInstruction>> kept_;
};

}  // namespace

IInstrumentationMethod* make_method(Number number) { return new Faulty(number); }

}  // namespace small
