// The rest of oriel.h: ids, names, time.
#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/atomic_ref.h"
#include "base/clock.h"
#include "base/text/utf8.h"
#include "base/version.h"
#include "engine/control/commands.h"
#include "engine/engine.h"
#include "engine/lifecycle.h"
#include "engine/modules.h"
#include "engine/or_else.h"
#include "engine/raise.h"
#include "engine/things/things.h"

namespace oriel {
namespace {

// A name of a thing, described first if needed. If waiting for another thread's answer timed out, a placeholder.
template <typename Thing>
const char* name_of(Thing* thing, std::string Thing::*field) {
  if (!thing) return "[none]";
  ensure_described(*thing);
  if (thing->described.load(std::memory_order_acquire) != Described::kKnown) return "[not known yet]";
  return (thing->*field).c_str();
}

// A field that describe fills in.
template <typename Thing, typename Value>
Value value_of(Thing* thing, Value Thing::*field) {
  if (!thing) return Value{};
  ensure_described(*thing);
  if (thing->described.load(std::memory_order_acquire) != Described::kKnown) return Value{};
  return thing->*field;
}

// 0, or 1 and the reason in `message`.
template <typename Action>
int told(char* message, size_t size, const char* without_memory, Action action) {
  const auto say = [&](const char* text) {
    if (message && size > 0) snprintf(message, size, "%s", text);
  };
  say(without_memory);
  return or_else(1, [&] {
    const Status status = action();
    say(status ? "" : status.message().c_str());
    return status ? 0 : 1;
  });
}

}  // namespace
}  // namespace oriel

#define ORIEL_DEFINE_IDS(kind, table)                                                     \
  uint32_t oriel_##kind##_id(const oriel_##kind* thing) { return thing ? thing->id : 0; } \
  uint32_t oriel_##kind##_count(void) { return oriel::things().table.ids.count(); }       \
  oriel_##kind* oriel_##kind##_by_id(uint32_t id) { return oriel::things().table.ids.get(id); }
ORIEL_DEFINE_IDS(domain, domains)
ORIEL_DEFINE_IDS(assembly, assemblies)
ORIEL_DEFINE_IDS(image, images)
ORIEL_DEFINE_IDS(class, classes)
ORIEL_DEFINE_IDS(method, methods)
ORIEL_DEFINE_IDS(thread, threads)
#undef ORIEL_DEFINE_IDS

int oriel_load(const char* description, char* message, size_t size) {
  return oriel::told(message, size, "cannot load the module: out of memory; free some and load it again",
                     [&] { return oriel::load_module(description ? description : ""); });
}

int oriel_mark(const char* text) {
  constexpr size_t kMost = 240;
  return oriel::or_else(0, [&] {
    if (!oriel::is_wanted(oriel_event_mark)) return 0;
    std::string mark = text ? text : "";
    oriel::make_valid_utf8(mark);
    mark.resize(oriel::utf8_end(mark, kMost));
    oriel::raise_mark(mark.c_str());
    return 1;
  });
}

int oriel_control(const char* const* words, size_t count, char* answer, size_t size) {
  const auto fill = [&](const char* text) {
    if (answer && size > 0) snprintf(answer, size, "%s", text);
  };
  fill("out of memory; free some and try again");
  return oriel::or_else(1, [&] {
    const oriel::control::Answer result = oriel::control::execute({words, words + count});
    std::string text;
    for (const oriel::control::Words& line : result.lines) text += oriel::control::line_of(line);
    fill(result.status ? text.c_str() : result.status.message().c_str());
    return result.status ? 0 : 1;
  });
}

size_t oriel_guests(oriel_guest* guests, size_t max) {
  return oriel::or_else(size_t{0}, [&] {
    oriel::Runtime* const runtime = oriel::current_runtime();
    const std::vector<oriel_guest> all = runtime ? runtime->guests() : std::vector<oriel_guest>();
    if (guests) std::copy_n(all.begin(), std::min(max, all.size()), guests);
    return all.size();
  });
}

int oriel_guest_add(const char* description, char* message, size_t size) {
  return oriel::told(message, size, "cannot add the profiler: out of memory; free some and add it again", [&] {
    oriel::Runtime* const runtime = oriel::current_runtime();
    return runtime ? runtime->add_guest(description ? description : "")
                   : oriel::Status::error("the runtime has not started yet");
  });
}

const char* oriel_event_obstacle(uint32_t event_number) {
  switch (event_number) {
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) case number:
#include "oriel/events.def"
#undef ORIEL_EVENT
    {
      const oriel::Runtime* const runtime = oriel::current_runtime();
      return runtime ? runtime->obstacle(event_number) : nullptr;
    }
    default:
      return "this Oriel has no event of that number: update it";
  }
}

void oriel_warn(const char* message) { oriel::warn(message); }

uint64_t oriel_clock(void) { return oriel::clock_counter(); }

const char* oriel_domain_name(oriel_domain* domain) { return oriel::name_of(domain, &oriel_domain::name); }
const char* oriel_assembly_name(oriel_assembly* assembly) { return oriel::name_of(assembly, &oriel_assembly::name); }
const char* oriel_image_name(oriel_image* image) { return oriel::name_of(image, &oriel_image::name); }
const char* oriel_image_path(oriel_image* image) { return image ? oriel::name_of(image, &oriel_image::path) : ""; }
const char* oriel_image_pdb_path(oriel_image* image) {
  return image ? oriel::name_of(image, &oriel_image::pdb_path) : "";
}
const char* oriel_image_pdb_id(oriel_image* image) { return image ? oriel::name_of(image, &oriel_image::pdb_id) : ""; }
// Queried separately, because it opens the image's metadata.
const char* oriel_image_mvid(oriel_image* image) {
  if (!image) return "";
  if (const std::string* known = image->mvid.load(std::memory_order_acquire)) return known->c_str();
  oriel::Runtime* const runtime = oriel::runtime_to_ask();
  if (!runtime || image->unloaded) return "";
  return oriel::or_else<const char*>("", [&] {
    auto made = std::make_unique<const std::string>(runtime->mvid(*image));
    const std::string* none = nullptr;
    if (image->mvid.compare_exchange_strong(none, made.get())) none = made.release();
    return none->c_str();
  });
}
const char* oriel_class_name(oriel_class* klass) { return oriel::name_of(klass, &oriel_class::name); }
const char* oriel_method_name(oriel_method* method) { return oriel::name_of(method, &oriel_method::name); }
const char* oriel_method_short_name(oriel_method* method) { return oriel::name_of(method, &oriel_method::short_name); }
const char* oriel_method_raw_name(oriel_method* method) { return oriel::name_of(method, &oriel_method::raw_name); }

// If the record was made with its image, that never changes; otherwise describe fills it in.
oriel_image* oriel_method_image(oriel_method* method) {
  if (!method) return nullptr;
  if (oriel_image* image = oriel::AtomicRef(method->image).load(std::memory_order_acquire)) return image;
  return oriel::value_of(method, &oriel_method::image);
}
uint32_t oriel_method_token(oriel_method* method) {
  if (!method) return 0;
  if (const uint32_t token = oriel::AtomicRef(method->token).load(std::memory_order_acquire)) return token;
  return oriel::value_of(method, &oriel_method::token);
}
oriel_class* oriel_method_class(oriel_method* method) { return oriel::value_of(method, &oriel_method::klass); }
oriel_image* oriel_class_image(oriel_class* klass) { return oriel::value_of(klass, &oriel_class::image); }
oriel_assembly* oriel_image_assembly(oriel_image* image) { return oriel::value_of(image, &oriel_image::assembly); }
uint32_t oriel_class_instance_size(oriel_class* klass) { return oriel::value_of(klass, &oriel_class::instance_size); }

oriel_class* oriel_object_class(oriel_object* object) {
  oriel::Runtime* const runtime = oriel::runtime_to_ask();
  if (!runtime || !object) return nullptr;
  return oriel::or_else<oriel_class*>(nullptr, [&] { return runtime->class_of(object); });
}

bool oriel_image_has_names(oriel_image* image, const char* prefix) {
  oriel::Runtime* const runtime = oriel::runtime_to_ask();
  if (!runtime || !image || !prefix || image->unloaded) return true;
  return oriel::or_else(true, [&] { return runtime->has_names(*image, prefix); });
}

bool oriel_image_is_optimized(oriel_image* image) {
  oriel::Runtime* const runtime = oriel::runtime_to_ask();
  if (!runtime || !image || image->unloaded) return true;
  return oriel::or_else(true, [&] { return runtime->is_optimized(*image); });
}

bool oriel_method_is_trivial(oriel_method* method) {
  oriel::Runtime* const runtime = oriel::runtime_to_ask();
  oriel_image* const image = oriel_method_image(method);
  if (!runtime || !image || image->unloaded || method->token == 0) return false;
  return oriel::or_else(false, [&] { return runtime->is_trivial(*image, method->token); });
}

size_t oriel_method_boxes(oriel_method* method, uint32_t* offsets, size_t max) {
  oriel::Runtime* const runtime = oriel::runtime_to_ask();
  oriel_image* const image = oriel_method_image(method);
  if (!runtime || !image || image->unloaded || method->token == 0) return 0;
  return oriel::or_else<size_t>(0, [&] {
    const std::vector<uint32_t> all = runtime->boxes(*image, method->token);
    std::copy_n(all.begin(), std::min(max, all.size()), offsets);
    return all.size();
  });
}

bool oriel_object_field(oriel_object* object, const char* name, oriel_value* value) {
  oriel::Runtime* const runtime = oriel::runtime_to_ask();
  if (!runtime || !object || !name || !value) return false;
  return oriel::or_else(false, [&] { return runtime->field_of(object, name, value); });
}

size_t oriel_object_text(oriel_object* object, char* buffer, size_t size) {
  oriel::Runtime* const runtime = oriel::runtime_to_ask();
  if (buffer && size > 0) buffer[0] = '\0';
  if (!runtime || !object || !buffer) return 0;
  return oriel::or_else<size_t>(0, [&] { return runtime->text_of(object, buffer, size); });
}

const char* oriel_runtime_name(void) {
  oriel::Runtime* const runtime = oriel::current_runtime();
  return runtime ? runtime->name() : "no runtime yet";
}

const char* oriel_version(void) { return oriel::version_text(); }
