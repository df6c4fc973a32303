// IL offsets of native addresses. The runtime's maps are cached for the code asked about last.
#include <algorithm>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "engine/engine.h"
#include "engine/lifecycle.h"
#include "engine/or_else.h"
#include "engine/things/code_map.h"

namespace oriel {
namespace {

using IlMap = std::shared_ptr<const std::vector<IlPoint>>;

// Keyed by code: its start, and which of the successive bodies there. A freed body keeps its map while there is room,
// as samples of it may still be under way.
class IlMaps {
 public:
  IlMap find(const CodeRange& range) {
    const std::lock_guard guard(lock_);
    const auto known = maps_.find(range.start);
    return known != maps_.end() && is_of(known->second, range) ? known->second.map : nullptr;
  }
  void keep(const CodeRange& range, const IlMap& map) {
    const std::lock_guard guard(lock_);
    if (maps_.size() >= kMostMaps) maps_.clear();
    maps_[range.start] = {range.method, range.born, map};
  }

 private:
  static constexpr size_t kMostMaps = 2048;  // about a hundred points each for typical methods

  struct Kept {
    oriel_method* method = nullptr;
    uint64_t born = 0;
    IlMap map;
  };
  static bool is_of(const Kept& kept, const CodeRange& range) {
    return kept.method == range.method && kept.born == range.born;
  }

  std::mutex lock_;
  std::unordered_map<uintptr_t, Kept> maps_;
};

IlMaps& il_maps() {
  static auto* const made = new IlMaps;
  return *made;
}

// The runtime's answer, valid only if the code was there throughout.
IlMap ask_runtime(const CodeRange& range) {
  Runtime* const runtime = runtime_to_ask();
  if (!runtime || range.died != UINT64_MAX || oriel_method_token(range.method) == 0) return nullptr;
  const uint64_t removals = code_map().removals();
  auto map = std::make_shared<const std::vector<IlPoint>>(runtime->il_map(range.start));
  if (code_map().removals() != removals) return nullptr;
  il_maps().keep(range, map);
  return map;
}

uint32_t offset_in(const std::vector<IlPoint>& map, uintptr_t code) {
  if (map.empty()) return ORIEL_NO_IL_OFFSET;
  const auto after = std::ranges::upper_bound(map, code, {}, &IlPoint::code);
  return after == map.begin() ? after->il : std::prev(after)->il;
}

uint32_t il_offset(uintptr_t address, uint64_t when) {
  CodeRange range;
  if (code_map().find(address, when, range) != CodeMap::Answer::kFound) return ORIEL_NO_IL_OFFSET;
  IlMap map = il_maps().find(range);
  if (!map) map = ask_runtime(range);
  return map ? offset_in(*map, address - range.start) : ORIEL_NO_IL_OFFSET;
}

}  // namespace
}  // namespace oriel

uint32_t oriel_il_offset(uintptr_t address, uint64_t when) {
  return oriel::or_else(ORIEL_NO_IL_OFFSET, [&] { return oriel::il_offset(address, when); });
}
