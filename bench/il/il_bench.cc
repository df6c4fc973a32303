// Time a method body takes to be read, instrumented and written, over all bodies of the shared framework.
#include <benchmark/benchmark.h>

#include <vector>

#include "assembly_file.h"
#include "framework.h"
#include "il/decode.h"
#include "il/encode.h"
#include "il/transform.h"
#include "il/verify.h"

namespace oriel::il::test {
namespace {

struct Framework {
  std::vector<AssemblyFile> assemblies;
  struct Item {
    size_t assembly;
    AssemblyFile::Method method;
  };
  std::vector<Item> methods;
};

// All bodies in memory; empty without dotnet.
const Framework& framework() {
  static const Framework loaded = [] {
    Framework all;
    for (const std::string& file : framework_assemblies())
      if (auto assembly = AssemblyFile::open(file)) all.assemblies.push_back(std::move(*assembly));
    for (size_t i = 0; i < all.assemblies.size(); ++i)
      for (const auto& method : all.assemblies[i].methods()) all.methods.push_back({i, method});
    return all;
  }();
  return loaded;
}

// Runs `work(assembly, method)` over all bodies a round and tells the time a body.
template <typename Work>
void over_all_bodies(benchmark::State& state, Work work) {
  const Framework& all = framework();
  if (all.methods.empty()) {
    state.SkipWithError("no dotnet here: install the .NET SDK");
    return;
  }
  for (auto _ : state)
    for (const auto& item : all.methods) work(all.assemblies[item.assembly], item.method);
  const double bodies = static_cast<double>(state.iterations()) * static_cast<double>(all.methods.size());
  state.counters["per_body"] = benchmark::Counter(bodies, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["bodies"] = static_cast<double>(all.methods.size());
}

void decode_only(benchmark::State& state) {
  over_all_bodies(state, [](const AssemblyFile&, const AssemblyFile::Method& method) {
    benchmark::DoNotOptimize(decode(method.bytes));
  });
}

void decode_and_encode(benchmark::State& state) {
  over_all_bodies(state, [](const AssemblyFile& assembly, const AssemblyFile::Method& method) {
    Result<Body> body = decode(method.bytes);
    if (body) benchmark::DoNotOptimize(encode(*body, assembly.facts(method, body->locals_token)));
  });
}

// With a probe at entry, one at the return and one in a handler around everything.
void instrument_verify_encode(benchmark::State& state) {
  over_all_bodies(state, [](const AssemblyFile& assembly, const AssemblyFile::Method& method) {
    Result<Body> body = decode(method.bytes);
    if (!body) return;
    MethodFacts facts = assembly.facts(method, body->locals_token);
    std::optional<uint16_t> local;
    if (facts.returns_value.value_or(false)) local = static_cast<uint16_t>((*facts.local_count)++);
    const auto wrapped = wrap_in_try(*body, ClauseKind::kFault, 0, local);
    if (!wrapped) return;
    const auto probe = [&](Instruction* at) {
      body->insert_before(at, body->make_call(Opcode::Call, 0x0a000001, {0, 0}), Branches::kMove, Regions::kOfNext);
    };
    probe(wrapped->handler_exit);
    if (wrapped->returns.exit) probe(wrapped->returns.exit);
    probe(body->first());
    if (verify(*body, facts)) benchmark::DoNotOptimize(encode(*body, facts));
  });
}

BENCHMARK(decode_only)->Unit(benchmark::kMillisecond);
BENCHMARK(decode_and_encode)->Unit(benchmark::kMillisecond);
BENCHMARK(instrument_verify_encode)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace oriel::il::test

BENCHMARK_MAIN();
