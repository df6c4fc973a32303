#include "runtimes/coreclr/guests/bodies/checked_body.h"

#include <cstdio>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "engine/engine.h"
#include "engine/messages.h"
#include "runtimes/coreclr/instrument/body_check.h"
#include "runtimes/coreclr/loaded_modules.h"
#include "runtimes/coreclr/names/module_metadata.h"

namespace oriel::coreclr {
namespace {

constinit FewWarnings rejected("more bodies that other profilers made are rejected");

// Reports a fault once, although guests build a body again for each tier.
bool is_new_fault(const Guest& guest, const MethodKey& key) {
  static std::mutex lock;
  static auto* const known = new std::set<std::tuple<uint32_t, ModuleID, Token>>;
  const std::lock_guard guard(lock);
  return known->emplace(guest.number(), key.module, key.token).second;
}

std::string name_of(const ModuleMetadata& metadata, const MethodKey& key) {
  if (metadata.is_open()) {
    const NamedMethod method = metadata.named_method(key.token);
    const std::string type = metadata::type_text(metadata.type_path(method.type), {}, metadata::Style::kFull);
    if (!method.name.empty()) return type.empty() ? method.name : type + "." + method.name;
  }
  char text[32];
  std::snprintf(text, sizeof text, "method %08x", key.token);
  return text;
}

Status check(const ModuleMetadata& metadata, const MethodKey& key, std::span<const uint8_t> body) {
  const auto definition = metadata.is_open() ? metadata.definition(key.token) : std::nullopt;
  return definition ? check_body(metadata, *definition, body) : Status::ok();
}

void say(const Guest& guest, const ModuleMetadata& metadata, const MethodKey& key, const std::string& fault) {
  if (rejected.wanted() && is_new_fault(guest, key))
    rejected.say("the profiler " + guest.name() + " made a body of " + name_of(metadata, key) +
                 " that the runtime would reject: " + fault + "; the method keeps the one it had");
}

}  // namespace

void say_no_body(ProfilerInfo& runtime, const Guest& guest, const MethodKey& key) {
  say(guest, open_metadata(Held(), runtime, key.module), key,
      "it does not begin with a body's header, or its parts do not fit");
}

// Checks the last body first: it contains the others' changes, so if it is valid, all are in most cases.
size_t count_valid(ProfilerInfo& runtime, const MethodKey& key, std::span<const uint8_t> before,
                   std::span<const MadeBody> made) {
  const ModuleMetadata metadata = open_metadata(Held(), runtime, key.module);
  if (made.empty() || check(metadata, key, made.back().body)) return made.size();
  if (!before.empty() && !check(metadata, key, before)) return made.size();
  for (size_t i = 0; i < made.size(); ++i) {
    const Status fault = check(metadata, key, made[i].body);
    if (fault) continue;
    say(*made[i].guest, metadata, key, fault.message());
    return i;
  }
  return made.size();
}

}  // namespace oriel::coreclr
