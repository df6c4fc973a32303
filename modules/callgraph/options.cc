#include "options.h"

#include <utility>

namespace oriel::callgraph {
namespace {

using modules::Argument;
using modules::ArgumentKind;
using modules::Arguments;

enum Row : size_t { kCalls, kTrivial, kAlloc, kInlining, kOut };
constexpr Argument kTable[] = {
    {.name = "calls", .kind = ArgumentKind::kPatterns},
    {.name = "trivial", .kind = ArgumentKind::kFlag},
    {.name = "alloc", .kind = ArgumentKind::kFlag, .note = "it counts every object"},
    {.name = "inlining", .kind = ArgumentKind::kChoice, .words = "keep|block"},
    {.name = "out", .kind = ArgumentKind::kFile},
};
static_assert(std::size(kTable) == kOut + 1);

}  // namespace

const std::span<const Argument> kArguments = kTable;

Result<Options> options_of(const Arguments& given) {
  Options options;
  auto calls = MethodPatterns::parse(given.value(kCalls));
  if (!calls) return calls.status();
  options.calls = std::move(*calls);
  options.trivial = given.given(kTrivial);
  options.allocations = given.given(kAlloc);
  options.block_inlining = given.value(kInlining) == "block";
  if (given.given(kOut)) options.out = given.value(kOut);
  return options;
}

Result<Options> parse_options(const std::string& args) {
  Arguments given("callgraph", kArguments);
  if (Status status = given.parse(args); !status) return status;
  return options_of(given);
}

}  // namespace oriel::callgraph
