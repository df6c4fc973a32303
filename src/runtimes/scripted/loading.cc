// Loads and unloads of the scripted runtime's things.
#include <cstring>

#include "engine/engine.h"
#include "runtimes/scripted/actions.h"

namespace oriel::scripted {
namespace {

struct KindRow {
  const char* verb;
  Kind kind;
  const char* parent_option;
  Kind parent;
};

constexpr KindRow kKinds[] = {
    {"domain", Kind::kDomain, nullptr, Kind::kDomain},    {"assembly", Kind::kAssembly, nullptr, Kind::kDomain},
    {"image", Kind::kImage, "assembly", Kind::kAssembly}, {"class", Kind::kClass, "image", Kind::kImage},
    {"method", Kind::kMethod, "class", Kind::kClass},
};

const KindRow* row_of(const std::string& verb) {
  for (const KindRow& row : kKinds) {
    if (verb == row.verb) return &row;
  }
  return nullptr;
}

void raise_loads(const Thing& thing, bool failed) {
  switch (thing.kind) {
    case Kind::kDomain:
      raise_domain_loading(domain_of(thing));
      return raise_domain_loaded(domain_of(thing));
    case Kind::kAssembly:
      raise_assembly_loading(assembly_of(thing));
      return raise_assembly_loaded(assembly_of(thing));
    case Kind::kImage:
      raise_image_loading(image_of(thing));
      return failed ? raise_image_failed(image_of(thing)) : raise_image_loaded(image_of(thing));
    case Kind::kClass:
      raise_class_loading(class_of_thing(thing));
      return failed ? raise_class_failed(class_of_thing(thing)) : raise_class_loaded(class_of_thing(thing));
    case Kind::kMethod:
      return;
  }
}

void remove(World& world, Thing& thing) { world.remove(thing); }

void unload_domain(World& world, Thing& thing) {
  oriel_domain* const domain = domain_of(thing);
  before_unload(domain);
  raise_domain_unloading(domain);
  remove(world, thing);
  after_unload(domain);
  raise_domain_unloaded(domain);
  world.release(thing);
}

void unload_assembly(World& world, Thing& thing) {
  oriel_assembly* const assembly = assembly_of(thing);
  before_unload(assembly);
  raise_assembly_unloading(assembly);
  remove(world, thing);
  after_unload(assembly);
  raise_assembly_unloaded(assembly);
  world.release(thing);
}

void unload_class(World& world, Thing& thing) {
  oriel_class* const klass = class_of_thing(thing);
  before_unload(klass);
  raise_class_unloading(klass);
  remove(world, thing);
  after_unload(klass);
  raise_class_unloaded(klass);
}

// Methods raise no unload event of their own; only their code is freed.
std::vector<CodeBlock> drop_method(World& world, Thing& thing) {
  if (oriel_method* const method = find_method(thing.runtime_id); method && !thing.code.empty()) {
    raise_method_free(method);
  }
  std::vector<CodeBlock> blocks = world.remove_code(thing);
  remove(world, thing);
  return blocks;
}

void unload_image(World& world, Thing& thing) {
  oriel_image* const image = image_of(thing);
  before_unload(image);
  raise_image_unloading(image);
  std::vector<Thing*> members;
  std::vector<CodeBlock> blocks;
  for (Thing* klass : world.children(thing)) {
    for (Thing* method : world.children(*klass)) {
      const std::vector<CodeBlock> freed = drop_method(world, *method);
      blocks.insert(blocks.end(), freed.begin(), freed.end());
      members.push_back(method);
    }
    unload_class(world, *klass);
    members.push_back(klass);
  }
  remove(world, thing);
  after_unload(image);
  raise_image_unloaded(image);
  // Only now may ids and addresses be reused.
  world.release_code(blocks);
  for (Thing* member : members) world.release(*member);
  world.release(thing);
}

}  // namespace

Status load_thing(ScriptedRuntime& runtime, const Action& action) {
  const KindRow& row = *row_of(action.verb);
  const Thing* parent = nullptr;
  if (row.parent_option) {
    const auto name = action.options.find(row.parent_option);
    if (name == action.options.end()) return error_of(action, std::string("needs ") + row.parent_option + "=");
    const Result<Thing*> found = need(runtime, action, row.parent, name->second);
    if (!found) return found.status();
    parent = *found;
  }
  const Result<uint64_t> size = number_of(action, "size", 0);
  if (!size) return size.status();
  Thing* const thing = runtime.world().add(row.kind, action.words[0], parent);
  if (!thing) return error_of(action, "'" + action.words[0] + "' is already there");
  thing->size = static_cast<uint32_t>(*size);
  thing->trivial = action.options.contains("trivial");
  if (const auto path = action.options.find("path"); path != action.options.end()) thing->path = path->second;
  raise_loads(*thing, action.options.contains("fail"));
  return Status::ok();
}

Status unload_thing(ScriptedRuntime& runtime, const Action& action) {
  const KindRow* const row = row_of(action.words[0]);
  if (!row || row->kind == Kind::kClass || row->kind == Kind::kMethod) {
    return error_of(action, "what is unloaded is a domain, assembly or image, not a " + action.words[0]);
  }
  const Result<Thing*> thing = need(runtime, action, row->kind, action.words[1]);
  if (!thing) return thing.status();
  World& world = runtime.world();
  if (!world.children(**thing).empty() && row->kind != Kind::kImage) {
    return error_of(action, "'" + action.words[1] + "' still has images");
  }
  if (row->kind == Kind::kDomain) unload_domain(world, **thing);
  if (row->kind == Kind::kAssembly) unload_assembly(world, **thing);
  if (row->kind == Kind::kImage) unload_image(world, **thing);
  return Status::ok();
}

}  // namespace oriel::scripted
