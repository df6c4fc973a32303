#include "runtimes/scripted/scripted_runtime.h"

#include "engine/engine.h"

namespace oriel::scripted {

oriel_domain* domain_of(const Thing& thing) { return intern_domain(thing.runtime_id); }
oriel_assembly* assembly_of(const Thing& thing) { return intern_assembly(thing.runtime_id); }
oriel_image* image_of(const Thing& thing) { return intern_image(thing.runtime_id); }

// For odd tokens the image is passed when the record is made, for even ones describe sets it: adapters use both ways.
oriel_class* class_of_thing(const Thing& thing) {
  if (thing.token % 2 == 0) return intern_class(thing.runtime_id);
  return intern_class(thing.runtime_id, image_of(*thing.parent), thing.token);
}

oriel_method* method_of(const Thing& thing) {
  if (thing.token % 2 == 0) return intern_method(thing.runtime_id);
  return intern_method(thing.runtime_id, image_of(*thing.parent->parent), thing.token);
}

void ScriptedRuntime::apply(const RuntimeNeeds& needs) {
  const std::lock_guard guard(needs_lock_);
  needs_ = needs;
}

RuntimeNeeds ScriptedRuntime::needs() const {
  const std::lock_guard guard(needs_lock_);
  return needs_;
}

oriel_method* ScriptedRuntime::method_at(uintptr_t address, uintptr_t* start, size_t* size) {
  CodeBlock block;
  const Thing* const method = world_.method_at(address, block);
  if (!method) return nullptr;
  *start = block.start;
  *size = block.size;
  return method_of(*method);
}

std::vector<IlPoint> ScriptedRuntime::il_map(uintptr_t start) {
  constexpr uint32_t kBytesOfIl = 8;
  CodeBlock block;
  std::vector<IlPoint> points;
  if (!world_.method_at(start, block) || block.start != start) return points;
  for (uint32_t at = kBytesOfIl; at < block.size; at += kBytesOfIl) points.push_back({at, at / kBytesOfIl - 1});
  return points;
}

const Thing* ScriptedRuntime::thing_of(const Entity& entity) {
  const Thing* const thing = world_.by_runtime_id(entity.runtime_id);
  if (!thing) late_questions_.fetch_add(1);
  return thing;
}

void ScriptedRuntime::describe(oriel_domain& domain) {
  if (const Thing* thing = thing_of(domain)) domain.name = thing->name;
}

void ScriptedRuntime::describe(oriel_assembly& assembly) {
  if (const Thing* thing = thing_of(assembly)) assembly.name = thing->name;
}

void ScriptedRuntime::describe(oriel_image& image) {
  const Thing* const thing = thing_of(image);
  if (!thing) return;
  image.assembly = assembly_of(*thing->parent);
  image.name = thing->name;
  image.path = thing->path;
}

void ScriptedRuntime::describe(oriel_class& klass) {
  const Thing* const thing = thing_of(klass);
  if (!thing) return;
  klass.image = image_of(*thing->parent);
  klass.token = thing->token;
  klass.instance_size = thing->size;
  klass.name = thing->name;
}

void ScriptedRuntime::describe(oriel_method& method) {
  const Thing* const thing = thing_of(method);
  if (!thing) return;
  method.klass = class_of_thing(*thing->parent);
  if (method.image == nullptr) method.set_image(image_of(*thing->parent->parent));
  if (method.token == 0) method.set_token(thing->token);
  method.short_name = thing->name + "()";
  method.name = thing->parent->name + "." + method.short_name;
  method.raw_name = method.name;
}

bool ScriptedRuntime::is_trivial(oriel_image&, uint32_t token) {
  const Thing* const method = world_.by_token(token);
  return method != nullptr && method->trivial;
}

oriel_class* ScriptedRuntime::class_of(oriel_object* object) { return reinterpret_cast<oriel_class*>(object); }

}  // namespace oriel::scripted
