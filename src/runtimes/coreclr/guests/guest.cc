#include "runtimes/coreclr/guests/guest.h"

#include "engine/engine.h"

namespace oriel::coreclr {
namespace {

struct NamedRule {
  CallbackSlot slot;
  CallbackRule rule;
};

constexpr NamedRule kRules[] = {
#define ORIEL_RULE(name, how, low, high) {CallbackSlot::k##name, {How::k##how, {low, high}}},
#include "runtimes/coreclr/guests/callback_rules.def"
#undef ORIEL_RULE
};

// In vtable order, so that a slot's number is its rule's index.
constexpr bool rules_are_in_order() {
  for (size_t i = 0; i < std::size(kRules); ++i)
    if (static_cast<size_t>(kRules[i].slot) != i) return false;
  return std::size(kRules) == static_cast<size_t>(CallbackSlot::kCount);
}
static_assert(rules_are_in_order(), "callback_rules.def has another order than callback.def, or lacks a slot");

}  // namespace

const CallbackRule& rule_of(CallbackSlot slot) { return kRules[static_cast<size_t>(slot)].rule; }

bool Guest::receives(CallbackSlot slot) const {
  if (is_out()) return false;
  const EventMask& bits = rule_of(slot).enabling_bits;
  const EventMask mine = mask();
  return (bits.low | bits.high) == 0 || (bits.low & mine.low) != 0 || (bits.high & mine.high) != 0;
}

bool Guest::retire() {
  if (out_.exchange(true)) return false;
  if (out_handler_) out_handler_();
  return true;
}

bool Guest::has_immutable_flags() const {
  const EventMask mine = mask();
  return (mine.low & kMonitorImmutable) != 0 || (mine.high & kHighMonitorImmutable) != 0;
}

void Guest::leave_out(const std::string& why) {
  if (retire()) warn(("the profiler " + name_ + ": " + why + "; it is left out, the program runs on").c_str());
}

void Guest::notify_detached() {
  try {
    if (version_of(CallbackSlot::kProfilerDetachSucceeded) <= loaded_.version)
      foreign_call([this] { return loaded_.callback->ProfilerDetachSucceeded(); });
  } catch (...) {
    // The guest is out anyway.
  }
}

}  // namespace oriel::coreclr
