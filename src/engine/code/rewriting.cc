#include "engine/code/rewriting.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/process/foreign_call.h"
#include "engine/code/method_body.h"
#include "engine/engine.h"
#include "engine/filters.h"
#include "engine/messages.h"
#include "engine/or_else.h"
#include "engine/profilers.h"

namespace oriel {
namespace {

constinit FewWarnings refused("more changes of methods were refused");

void say_refused(oriel_method& method, const std::string& why) {
  if (!refused.wanted()) return;
  ensure_described(method);
  refused.say(method.name + " keeps its code, as a profiler's change to it is not valid: " + why);
}

void finish_edits(oriel_method_body& body) {
  if (std::exchange(body.lost_edits, false)) say_refused(*body.method, reason_for_lost_edits(body));
  if (!body.graph || !body.graph->is_edited) return;
  Result<MadeBody> made = make_body(body);
  if (made) return take_edits(body, std::move(*made));
  say_refused(*body.method, made.message());
  drop_edits(body);
}

void run_rewriter(const oriel_profiler_desc& profiler, oriel_method_body& body) {
  const oriel_rewriter_cb rewriter = profiler.rewriter.load(std::memory_order_acquire);
  if (!rewriter) return;
  BodyBefore before(body);
  try {
    foreign_call([&] { rewriter(profiler.profiler, body.method, &body); });
  } catch (...) {
    put_back(body, std::move(before));
    return say_refused(*body.method, "the rewriter threw an exception, which it must not");
  }
  finish_edits(body);
}

}  // namespace

void forget_refusals() { refused.forget(); }

RewrittenBody rewritten_body(oriel_method& method, oriel_image* image, std::span<const uint8_t> original,
                             CodeSite& site) {
  oriel_method_body body(&method, site, original);
  for (oriel_profiler_desc* it = first_profiler(); it; it = it->next.load(std::memory_order_acquire)) {
    if (rewrites(*it, &method, image)) run_rewriter(*it, body);
  }
  // The original bytes may be longer than the body in them.
  if (std::equal(body.bytes.begin(), body.bytes.end(), original.begin(),
                 original.begin() + static_cast<ptrdiff_t>(std::min(body.bytes.size(), original.size())))) {
    return {};
  }
  return {std::move(body.bytes), std::move(body.map)};
}

}  // namespace oriel

const uint8_t* oriel_method_body_bytes(const oriel_method_body* body, size_t* size) {
  if (size) *size = body->bytes.size();
  return body->bytes.data();
}

bool oriel_method_body_replace(oriel_method_body* body, const uint8_t* bytes, size_t size) {
  if (!bytes || body->lost_edits) return false;
  return oriel::or_else(false, [&] {
    if (body->graph && body->graph->is_edited) {
      oriel::refuse(*body->graph, "bytes were given for a body whose instructions had been changed");
      return false;
    }
    const std::span<const uint8_t> given(bytes, size);
    body->refused = body->site.check(given);
    if (!body->refused) {
      if (body->method) oriel::say_refused(*body->method, body->refused.message());
      return false;
    }
    oriel::take_bytes(*body, {given.begin(), given.end()});
    return true;
  });
}
