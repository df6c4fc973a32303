// Changes each method that is compiled: loads a constant and pops it, at the start and before each return. Prints their
// number at the end.
#include <cstdio>

#include "oriel/plugins/graph.h"
#include "small.h"

namespace small {
namespace {

void put_before(IInstructionGraph& graph, IInstructionFactory& factory, IInstruction* at) {
  ComPtr<IInstruction> load, drop;
  factory.CreateLoadConstInstruction(7, load.receive());
  factory.CreateInstruction(Opcode::Pop, drop.receive());
  graph.InsertBeforeAndRetargetOffsets(at, load.get());
  graph.InsertAfter(load.get(), drop.get());
}

class Every final : public Method {
 public:
  using Method::Method;

  HResult ShouldInstrumentMethod(IMethodInfo*, Bool, Bool* instrument) override {
    *instrument = 1;
    return kOk;
  }
  HResult InstrumentMethod(IMethodInfo* method, Bool) override {
    ComPtr<IInstructionGraph> graph;
    ComPtr<IInstructionFactory> factory;
    if (const HResult result = method->GetInstructions(graph.receive()); failed(result)) return kOk;
    method->GetInstructionFactory(factory.receive());
    ComPtr<IInstruction> first, at;
    graph->GetFirstInstruction(first.receive());
    for (at = first; at;) {
      Opcode opcode{};
      at->GetOpCode(&opcode);
      if (opcode == Opcode::Ret && at.get() != first.get()) put_before(*graph.get(), *factory.get(), at.get());
      ComPtr<IInstruction> next;
      at->GetNextInstruction(next.receive());
      at = next;
    }
    put_before(*graph.get(), *factory.get(), first.get());
    ++changed_;
    return kOk;
  }
  HResult OnShutdown() override { return std::fprintf(stderr, "changed=%u\n", changed_.load()), kOk; }

 private:
  std::atomic<unsigned> changed_{0};
};

}  // namespace

IInstrumentationMethod* make_method(Number number) { return new Every(number); }

}  // namespace small
