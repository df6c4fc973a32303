#include "plugins/hooks/hooked_body.h"

#include <utility>

#include "runtimes/coreclr/com/body_memory.h"
#include "runtimes/coreclr/guests/bodies/checked_body.h"
#include "runtimes/coreclr/guests/bodies/il_maps.h"

namespace oriel::plugins {
namespace {

thread_local HookedBody* of_this_thread = nullptr;

// The same map in the type of the CoreCLR interfaces.
std::span<const coreclr::IlMapEntry> theirs(std::span<const IlMapEntry> map) {
  static_assert(sizeof(IlMapEntry) == sizeof(coreclr::IlMapEntry));
  return {reinterpret_cast<const coreclr::IlMapEntry*>(map.data()), map.size()};
}

}  // namespace

HookedBody::HookedBody(ModuleInfo& module, Token method, std::vector<uint8_t> body, std::vector<IlMapEntry> map)
    : module_(module),
      method_(method),
      outer_(std::exchange(of_this_thread, this)),
      body_(std::move(body)),
      map_(std::move(map)) {
  show();
}

HookedBody::~HookedBody() { of_this_thread = outer_; }

HookedBody* HookedBody::of_thread(ModuleID module, Token method) {
  HookedBody* const mine = of_this_thread;
  return mine != nullptr && mine->module_.id() == module && mine->method_ == method ? mine : nullptr;
}

void HookedBody::show() {
  if (body_.empty()) {
    shown_ = module_.original_body(method_);
    return;
  }
  const uint8_t* kept = coreclr::copy_into_module(module_.runtime(), module_.id(), body_);
  if (kept != nullptr) shown_ = {kept, body_.size()};
}

void HookedBody::set_map(std::span<const IlMapEntry> map) { given_map_.assign(map.begin(), map.end()); }

void HookedBody::accept_body(coreclr::Guest& hook) {
  const std::vector<uint8_t> given = std::exchange(given_, {});
  const std::vector<IlMapEntry> map = std::exchange(given_map_, {});
  if (given.empty()) return;
  const coreclr::MadeBody made = {&hook, given};
  if (coreclr::count_valid(coreclr::ProfilerInfo::of(module_.runtime()), {module_.id(), method_}, shown_, {&made, 1}) ==
      0)
    return;
  body_ = given;
  show();
  const std::vector<coreclr::IlMapEntry> all = coreclr::compose(theirs(map_), theirs(map));
  map_.clear();
  for (const coreclr::IlMapEntry& entry : all) map_.push_back({entry.old_offset, entry.new_offset, entry.is_accurate});
}

}  // namespace oriel::plugins
