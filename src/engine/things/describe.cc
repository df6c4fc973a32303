// Names: asked of the runtime once for each thing, by one thread, without a lock.
#include <ctime>
#include <type_traits>

#include "engine/engine.h"
#include "engine/lifecycle.h"
#include "engine/things/things.h"
#include "pdb/find.h"

namespace oriel {
namespace {

// The placeholder if the runtime has no name for the thing, or cannot be asked any more.
std::string bracketed(const char* kind, const Entity& thing, bool gone) {
  return std::string(gone ? "[unloaded " : "[unnamed ") + kind + " " + std::to_string(thing.id) + "]";
}

void complete(oriel_domain& domain, bool gone) {
  if (domain.name.empty()) domain.name = bracketed("domain", domain, gone);
}

void complete(oriel_assembly& assembly, bool gone) {
  if (assembly.name.empty()) assembly.name = bracketed("assembly", assembly, gone);
}

// Of the symbols that Mono's compiler makes nothing stands in the image: they are beside it, and have its MVID.
void find_mdb(oriel_image& image) {
  if (!image.pdb_id.empty() || !pdb::has_mdb(image.path)) return;
  image.pdb_id = oriel_image_mvid(&image);
  image.pdb_path = pdb::mdb_path(image.path);
}

void complete(oriel_image& image, bool gone) {
  if (!gone) find_mdb(image);
  if (image.name.empty()) image.name = bracketed("module", image, gone);
}

void complete(oriel_class& klass, bool gone) {
  if (klass.name.empty()) klass.name = bracketed("class", klass, gone);
  list_in_image(klass);
}

void complete(oriel_method& method, bool gone) {
  if (method.name.empty()) method.name = bracketed("method", method, gone);
  if (method.short_name.empty()) method.short_name = method.name;
  if (method.raw_name.empty()) method.raw_name = method.name;
  list_in_image(method);
}

// Short enough for the small-string buffer, which needs no memory.
template <typename Thing>
void name_without_memory(Thing& thing) {
  constexpr const char* kName = "[out of memory]";
  thing.name = kName;
  if constexpr (std::is_same_v<Thing, oriel_method>) {
    thing.short_name = kName;
    thing.raw_name = kName;
  }
}

template <typename Thing>
void ask(Thing& thing) {
  Runtime* const runtime = runtime_to_ask();
  const bool gone = thing.unloaded.load(std::memory_order_acquire);
  try {
    if (runtime && !gone) runtime->describe(thing);
    complete(thing, gone);
  } catch (...) {
    name_without_memory(thing);
  }
}

void pause_a_little(int round) {
  const timespec pause{0, round < 100 ? 0 : 100'000};
  nanosleep(&pause, nullptr);
}

// Rounds are counted instead of time, because a process that is stopped for a while loses time but no rounds.
template <typename Thing>
void wait_until_known(const Thing& thing) {
  constexpr int kMostRounds = 15'000;  // some three seconds
  for (int round = 0; round < kMostRounds && thing.described.load(std::memory_order_acquire) != Described::kKnown;
       ++round)
    pause_a_little(round);
}

template <typename Thing>
void describe_once(Thing& thing) {
  Described seen = thing.described.load(std::memory_order_acquire);
  if (seen == Described::kNone &&
      thing.described.compare_exchange_strong(seen, Described::kBusy, std::memory_order_acq_rel)) {
    ask(thing);
    thing.described.store(Described::kKnown, std::memory_order_release);
  } else if (seen == Described::kBusy) {
    wait_until_known(thing);
  }
}

}  // namespace

void ensure_described(oriel_domain& domain) { describe_once(domain); }
void ensure_described(oriel_assembly& assembly) { describe_once(assembly); }
void ensure_described(oriel_image& image) { describe_once(image); }
void ensure_described(oriel_class& klass) { describe_once(klass); }
void ensure_described(oriel_method& method) { describe_once(method); }

}  // namespace oriel
