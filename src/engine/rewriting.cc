// Profilers' rewriters, one after the other (filters.h).
#include <algorithm>
#include <string>

#include "engine/engine.h"
#include "engine/filters.h"
#include "engine/messages.h"
#include "engine/or_else.h"
#include "engine/profilers.h"

struct oriel_method_body {
  oriel_method& method;
  const oriel::BodyCheck& check;
  std::vector<uint8_t> bytes;
  bool replaced = false;
};

namespace oriel {
namespace {

constinit FewWarnings refused("more changes of methods were refused");

void say_refused(oriel_method& method, const std::string& why) {
  if (!refused.wanted()) return;
  ensure_described(method);
  refused.say(method.name + " keeps its code, as a profiler's change of it is not valid: " + why);
}

void run_rewriter(const oriel_profiler_desc& profiler, oriel_method_body& body) {
  const oriel_rewriter_cb rewriter = profiler.rewriter.load(std::memory_order_acquire);
  if (!rewriter) return;
  const std::vector<uint8_t> before = body.bytes;
  const bool replaced_before = body.replaced;
  try {
    rewriter(profiler.profiler, &body.method, &body);
  } catch (...) {
    body.bytes = before;
    body.replaced = replaced_before;
    say_refused(body.method, "the rewriter threw an exception, which it must not");
  }
}

}  // namespace

std::vector<uint8_t> rewritten_body(oriel_method& method, oriel_image* image, std::span<const uint8_t> original,
                                    const BodyCheck& check) {
  oriel_method_body body{method, check, {original.begin(), original.end()}};
  for (oriel_profiler_desc* it = first_profiler(); it; it = it->next.load(std::memory_order_acquire)) {
    if (rewrites(*it, &method, image)) run_rewriter(*it, body);
  }
  if (!body.replaced || std::equal(body.bytes.begin(), body.bytes.end(), original.begin(), original.end())) return {};
  return std::move(body.bytes);
}

}  // namespace oriel

const uint8_t* oriel_method_body_bytes(const oriel_method_body* body, size_t* size) {
  if (size) *size = body->bytes.size();
  return body->bytes.data();
}

bool oriel_method_body_replace(oriel_method_body* body, const uint8_t* bytes, size_t size) {
  if (!bytes) return false;
  return oriel::or_else(false, [&] {
    const std::span<const uint8_t> given(bytes, size);
    if (const oriel::Status status = body->check(given); !status) {
      oriel::say_refused(body->method, status.message());
      return false;
    }
    std::vector<uint8_t> copy(given.begin(), given.end());
    body->bytes = std::move(copy);
    body->replaced = true;
    return true;
  });
}
