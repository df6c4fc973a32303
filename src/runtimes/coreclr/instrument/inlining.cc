#include "runtimes/coreclr/instrument/inlining.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "base/process/thread_id.h"
#include "il/decode.h"
#include "il/encoded_size.h"

namespace oriel::coreclr {
namespace {

// The largest method without the attribute that the compiler inlines, if profile data recommends it.
constexpr size_t kLargestInlined = 1024;

// `new string(…)` is compiled as a call of one of these.
void add_string_factories(const ModuleMetadata& metadata, Token type, std::vector<Token>& callees) {
  MetaEnum list = nullptr;
  Token found[16];
  uint32_t count = 0;
  if (succeeded(metadata.import().EnumMethodsWithName(&list, type, u"Ctor", found, std::size(found), &count))) {
    callees.insert(callees.end(), found, found + count);
  }
  metadata.import().CloseEnum(list);
}

bool is_string_constructor(const ModuleMetadata& metadata, Token callee) {
  return metadata.name_of(callee) == u".ctor" && metadata.type_name(metadata.owner_of(callee)) == u"System.String";
}

// The methods of the same module that the body calls by name, each once. Devirtualized calls are not found.
std::vector<Token> calls_within_module(const ModuleMetadata& metadata, std::span<const uint8_t> body) {
  std::vector<Token> callees, made_strings;
  const Result<il::Body> decoded = il::decode(body);
  if (!decoded) return callees;
  for (const il::Instruction* at = decoded->first(); !at->is_end(); at = at->next()) {
    if (at->info().operand == il::OperandKind::Method && at->info().flow == il::Flow::Call)
      callees.push_back(at->token());
  }
  const auto unique = [&] {
    std::sort(callees.begin(), callees.end());
    callees.erase(std::unique(callees.begin(), callees.end()), callees.end());
  };
  unique();
  for (Token& callee : callees) {
    callee = metadata.definition_within_module(callee);
    if (callee != 0 && is_string_constructor(metadata, callee))
      add_string_factories(metadata, metadata.owner_of(callee), made_strings);
  }
  callees.insert(callees.end(), made_strings.begin(), made_strings.end());
  unique();
  std::erase(callees, Token{0});
  return callees;
}

// Whether a compiler may have inlined a method with a body of this many bytes. The estimate errs towards true.
bool may_be_inlined(const MethodDefinition& definition, size_t body_bytes) {
  if (definition.implementation & kNoInlining) return false;
  return body_bytes <= kLargestInlined || (definition.implementation & kAggressiveInlining);
}

// Whether another thread decided since this thread began to compile, so that the compiler may have read the body
// before.
bool is_just_decided(const Site& site) {
  return site.decided_by.load(std::memory_order_relaxed) != thread_id() &&
         site.decided_at.load(std::memory_order_relaxed) >= ObservedCompilations::compilation_began();
}

}  // namespace

bool Inlining::refuses_precompiled(FunctionID function) {
  Site* site = sites_.of(function);
  if (site == nullptr || !compilations_.all_of(site->key.module)) return false;
  // Even if the body itself has no place for probes, code that was inlined into it may have.
  return changes_code(*site) || has_changes_within(*site);
}

// Whether a method's code is to be changed, as far as that is known without building the body.
bool Inlining::changes_code(Site& site) {
  const WantedChanges wanted = site.wanted.load();
  if (wanted.calls != ORIEL_CALLS_NONE || wanted.coverage != 0 || wanted.rewriters != 0) return true;
  return wanted.any_allocations() && sites_.learn_original(site) && may_allocate(site.original());
}

// Whether code of a method that is to be changed may have been inlined into the precompiled code of this one. Follows
// calls as far as methods could have been inlined. Remembers the methods for which the answer was no.
bool Inlining::has_changes_within(Site& root) {
  const ModuleMetadata metadata = modules_.metadata(root.key.module);
  if (!metadata.is_open()) return false;
  const uint32_t now = filter_generation() + 1;
  std::vector<Site*> open = {&root};
  std::unordered_set<Site*> seen = {&root};
  while (!open.empty()) {
    Site& caller = *open.back();
    open.pop_back();
    if (caller.plain_within.load(std::memory_order_relaxed) == now || !sites_.learn_original(caller)) continue;
    for (const Token token : calls_within_module(metadata, caller.original())) {
      Site* callee = sites_.find_or_make({root.key.module, token});
      if (seen.contains(callee) || !may_have_been_inlined(metadata, *callee)) continue;
      if (!callee->asked.load(std::memory_order_acquire)) sites_.ask(*callee, 0);
      if (changes_code(*callee)) return true;
      seen.insert(callee);
      open.push_back(callee);
    }
  }
  for (Site* plain : seen) plain->plain_within.store(now, std::memory_order_relaxed);
  return false;
}

bool Inlining::may_have_been_inlined(const ModuleMetadata& metadata, Site& callee) {
  const auto definition = metadata.definition(callee.key.token);
  return definition && sites_.learn_original(callee) && may_be_inlined(*definition, callee.original().size());
}

bool Inlining::may_inline(FunctionID callee) {
  Site* site = sites_.of(callee);
  if (site == nullptr) return true;
  const bool was_decided = site->state.load(std::memory_order_acquire) == Site::State::kDecided;
  if (!was_decided && compilations_.all_of(site->key.module)) {
    bodies_.decide_default(*site, callee);
  }
  const WantedChanges wanted = wanted_of(*site);
  if (!wanted.any()) return true;
  if (wanted.calls & ORIEL_CALLS_BLOCK_INLINING) return false;
  // Hit probes are removed again, and the compiler reads the code that it inlines before it reads the clauses.
  if (wanted.coverage != 0 && il::has_clauses(site->original())) return false;
  // The compiler has read the callee's old body by now; the next caller may have the new one inlined. Probes that come
  // by ReJIT are never in inlined code.
  return was_decided && !is_just_decided(*site) && site->in_default.load() == wanted;
}

}  // namespace oriel::coreclr
