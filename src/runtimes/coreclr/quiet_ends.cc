#include "runtimes/coreclr/quiet_ends.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "il/decode.h"
#include "il/encode.h"
#include "runtimes/coreclr/com/body_memory.h"
#include "runtimes/coreclr/instrument/body_check.h"
#include "runtimes/coreclr/instrument/sites.h"

namespace oriel::coreclr {
namespace {

constexpr uint8_t kPop = 0x26, kNop = 0x00;
constexpr int kLongestWait = 500;                                  // milliseconds
constexpr uint8_t kWithMilliseconds[] = {0x20, 0x01, 0x02, 0x08};  // instance bool (int32)
constexpr uint8_t kOfNoArguments[] = {0x20, 0x00, 0x01};           // a signature (II.23.2.2): instance void ()

// The last of so many calls in a method, to a callee that may wait when the process exits.
struct Wait {
  const char16_t* type;
  const char* method;
  size_t calls;
  std::u16string_view called_type;
  std::u16string_view called;
  bool is_bounded = false;  // rather than removed
};
constexpr Wait kWaits[] = {
    {u"System.Diagnostics.Metrics.AggregationManager", "Dispose", 1, u"System.Threading.Thread", u"Join", true},
    // The first of the two calls is made when a new session begins.
    {u"System.Diagnostics.DiagnosticSourceEventSource", "OnEventCommand", 2, u"System.IDisposable", u"Dispose"},
};

// A method into whose precompiled code one of these methods may have been inlined.
struct Caller {
  std::vector<std::u16string> type;
  const char* method;
};
const Caller& caller() {
  static const auto* const one =
      new Caller{{u"System.Diagnostics.Metrics.MetricsEventSource", u"CommandHandler"}, "OnEventCommand"};
  return *one;
}

bool calls_it(const ModuleMetadata& metadata, const Wait& wait, Token token) {
  return metadata.name_of(token) == wait.called && metadata.type_name(metadata.owner_of(token)) == wait.called_type &&
         std::ranges::equal(metadata.signature_of(token), kOfNoArguments);
}

}  // namespace

namespace {

bool is_call_of(const il::Instruction& each, const std::function<bool(Token)>& is_it) {
  return (each.opcode() == il::Opcode::Call || each.opcode() == il::Opcode::Callvirt) && is_it(each.token());
}

}  // namespace

std::vector<uint8_t> without_last_call(std::span<const uint8_t> body, size_t calls,
                                       const std::function<bool(Token)>& is_it) {
  constexpr uint8_t kFormatMask = 0x3, kFat = 0x3;
  constexpr size_t kTinyHeader = 1, kFatHeader = 12, kCallBytes = 5;
  const Result<il::Body> decoded = il::decode(body);
  if (!decoded) return {};
  size_t found = 0, at = 0;
  for (const il::Instruction* each = decoded->first(); !each->is_end(); each = each->next())
    if (is_call_of(*each, is_it)) ++found, at = each->original_offset();
  if (found != calls || calls == 0) return {};
  std::vector<uint8_t> changed(body.begin(), body.begin() + decoded->encoded_bytes);
  at += (body[0] & kFormatMask) == kFat ? kFatHeader : kTinyHeader;
  changed[at] = kPop;
  std::fill_n(changed.begin() + static_cast<ptrdiff_t>(at) + 1, kCallBytes - 1, kNop);
  return changed;
}

// In a region with a handler, a return would have to be a jump out of it.
std::vector<uint8_t> with_bounded_wait(std::span<const uint8_t> body, const il::MethodFacts& facts, Token bounded,
                                       const std::function<bool(Token)>& is_it) {
  constexpr il::StackEffect kEffect{.pops = 2, .pushes = 1};
  Result<il::Body> decoded = il::decode(body);
  if (!decoded || !decoded->clauses.empty()) return {};
  il::Instruction* call = nullptr;
  size_t found = 0;
  for (il::Instruction* each = decoded->first(); !each->is_end(); each = each->next())
    if (is_call_of(*each, is_it)) ++found, call = each;
  if (found != 1 || call->next()->is_end()) return {};
  il::Instruction* const next = call->next();
  il::Instruction* const waits = decoded->make_call(call->opcode(), bounded, kEffect);
  decoded->insert_before(call, decoded->make(il::Opcode::Ldc_I4, kLongestWait), il::Branches::kMove,
                         il::Regions::kOfPrevious);
  decoded->replace(call, waits);
  il::Instruction* const over = decoded->make_branch(il::Opcode::Brtrue, next);
  decoded->insert_after(waits, over);
  decoded->insert_after(over, decoded->make(il::Opcode::Ret));
  const Result<il::Encoded> encoded = il::encode(*decoded, facts);
  return encoded ? encoded->bytes : std::vector<uint8_t>();
}

bool is_managed_source(const char16_t* name) {
  static constexpr std::u16string_view kRuntimeSources[] = {
      u"Microsoft-Windows-DotNETRuntime",        u"Microsoft-Windows-DotNETRuntimeRundown",
      u"Microsoft-Windows-DotNETRuntimePrivate", u"Microsoft-Windows-DotNETRuntimeStress",
      u"Microsoft-DotNETCore-SampleProfiler",    u"Microsoft-DotNETCore-EventPipe",
  };
  return name != nullptr && std::ranges::find(kRuntimeSources, std::u16string_view(name)) == std::end(kRuntimeSources);
}

// Programs may bring their own library with these types, or several.
void QuietEnds::look_at(ModuleID module) {
  const Held held;
  // Not kept open, because most modules are of no interest.
  const ModuleMetadata metadata = open_metadata(held, names_.info, module);
  if (!metadata.is_open()) return;
  bool any = false;
  for (size_t wait = 0; wait < std::size(kWaits); ++wait) {
    const Token type = metadata.find_type({kWaits[wait].type});
    if (type == 0) continue;
    for (const Token method : metadata.methods_named(type, kWaits[wait].method))
      any |= take_wait_out(metadata, {module, method}, wait);
  }
  if (!any) return;
  const Token type = metadata.find_type(caller().type);
  if (type == 0) return;
  for (const Token method : metadata.methods_named(type, caller().method)) compile({module, method});
}

bool QuietEnds::has_changed() {
  const std::lock_guard guard(lock_);
  return !changed_.empty();
}

std::vector<MethodKey> QuietEnds::take_changed() {
  const std::lock_guard guard(lock_);
  return std::exchange(changed_, {});
}

std::vector<uint8_t> QuietEnds::changed_body(const ModuleMetadata& metadata, const MethodKey& key, size_t index) {
  const Wait& wait = kWaits[index];
  const std::span<const uint8_t> body = body_of(names_.info, key);
  Token called = 0;
  const auto is_it = [&](Token token) {
    if (!calls_it(metadata, wait, token)) return false;
    called = token;
    return true;
  };
  std::vector<uint8_t> changed = without_last_call(body, wait.calls, is_it);
  if (changed.empty() || !wait.is_bounded) return changed;
  const auto definition = metadata.definition(key.token);
  const Result<il::Body> decoded = il::decode(body);
  if (!definition || !decoded) return {};
  const Result<BodyFacts> facts = learn_facts(metadata, *definition, *decoded);
  const Result<Token> bounded =
      tokens_.member_ref(key.module, metadata.owner_of(called), wait.called, kWithMilliseconds);
  return facts && bounded ? with_bounded_wait(body, facts->facts, *bounded, is_it) : std::vector<uint8_t>();
}

// Below the changes of all others, who see the method without the wait. A method of another shape stays as it is.
bool QuietEnds::take_wait_out(const ModuleMetadata& metadata, const MethodKey& key, size_t wait) {
  const std::vector<uint8_t> changed = changed_body(metadata, key, wait);
  if (changed.empty()) return false;
  const ModuleMetadata newest = tokens_.newest(key.module, names_.modules);
  const auto definition = newest.definition(key.token);
  if (!definition || !check_body(newest, *definition, changed)) return false;
  const uint8_t* const copy = copy_into_module(Held(), names_.info, key.module, changed);
  if (copy == nullptr || failed(other_profilers_.set_body_for_all(key, copy))) return false;
  compile(key);
  return true;
}

void QuietEnds::compile(const MethodKey& key) {
  const std::lock_guard guard(lock_);
  compiled_.push_back(key);
  changed_.push_back(key);
  any_.store(true, std::memory_order_release);
}

bool QuietEnds::refuses_precompiled(FunctionID function) {
  if (!any_.load(std::memory_order_acquire)) return false;
  ClassID klass = 0;
  MethodKey key{0, 0};
  if (failed(names_.info.GetFunctionInfo(Held(), function, &klass, &key.module, &key.token))) return false;
  const std::lock_guard guard(lock_);
  return std::ranges::find(compiled_, key) != compiled_.end();
}

void QuietEnds::module_unloading(ModuleID module) {
  const std::lock_guard guard(lock_);
  for (std::vector<MethodKey>* keys : {&compiled_, &changed_})
    std::erase_if(*keys, [&](const MethodKey& key) { return key.module == module; });
}

}  // namespace oriel::coreclr
