#include "runtimes/coreclr/rejit_base.h"

namespace oriel::coreclr {
namespace {

__attribute__((tls_model("initial-exec"))) constinit thread_local const RejitBase* innermost = nullptr;

}  // namespace

RejitBase::RejitBase(const MethodKey& key, std::span<const uint8_t> body) : key_(key), body_(body), outer_(innermost) {
  innermost = this;
}

RejitBase::~RejitBase() { innermost = outer_; }

std::span<const uint8_t> RejitBase::of(const MethodKey& key) {
  for (const RejitBase* base = innermost; base != nullptr; base = base->outer_)
    if (base->key_ == key) return base->body_;
  return {};
}

}  // namespace oriel::coreclr
