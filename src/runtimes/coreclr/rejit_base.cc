#include "runtimes/coreclr/rejit_base.h"

#include "base/static_tls.h"

namespace oriel::coreclr {
namespace {

ORIEL_STATIC_TLS constinit thread_local RejitBase* innermost = nullptr;

}  // namespace

RejitBase::RejitBase(const MethodKey& key, std::span<const uint8_t> body) : key_(key), body_(body), outer_(innermost) {
  innermost = this;
}

RejitBase::~RejitBase() { innermost = outer_; }

RejitBase* RejitBase::find(const MethodKey& key) {
  for (RejitBase* base = innermost; base != nullptr; base = base->outer_)
    if (base->key_ == key) return base;
  return nullptr;
}

std::span<const uint8_t> RejitBase::of(const MethodKey& key) {
  const RejitBase* base = find(key);
  return base ? base->body_ : std::span<const uint8_t>();
}

std::span<const uint8_t> RejitBase::show(const MethodKey& key) {
  RejitBase* const base = find(key);
  if (base == nullptr || base->body_.empty()) return {};
  base->was_shown_ = true;
  return base->body_;
}

void RejitBase::replace(const MethodKey& key, std::span<const uint8_t> body) {
  if (RejitBase* base = find(key)) base->body_ = body;
}

}  // namespace oriel::coreclr
