#include "runtimes/coreclr/callbacks/heap_sizes.h"

#include <algorithm>

namespace oriel::coreclr {
namespace {

// The runtime copies an existing table. With regions, an entry covers 4 MB of a heap.
constexpr uint32_t kMostParts = 65'536;

std::optional<std::span<const GenerationRange>> parts_of(ProfilerInfo& info, std::vector<GenerationRange>& room) {
  uint32_t count = 0;
  if (room.empty()) room.resize(64);
  for (int tries = 0; tries < 2; ++tries) {
    if (failed(info.GetGenerationBounds(static_cast<uint32_t>(room.size()), &count, room.data()))) return std::nullopt;
    if (count <= room.size()) return std::span(room.data(), count);
    if (count > kMostParts) return std::nullopt;
    room.resize(count + count / 4);
  }
  return std::nullopt;
}

}  // namespace

std::span<const GenerationRange> heap_parts(ProfilerInfo& info, std::vector<GenerationRange>& room) {
  return parts_of(info, room).value_or(std::span<const GenerationRange>());
}

// Literals, mostly. If there are more parts than fit, the rest is left out.
std::vector<FrozenRange> frozen_parts(ProfilerInfo& info) {
  ComPtr<ProfilerInfo> newer;
  if (failed(info.QueryInterface(kICorProfilerInfo14Id, reinterpret_cast<void**>(newer.receive())))) return {};
  std::vector<FrozenRange> parts(64);
  uint32_t count = 0;
  if (failed(newer->GetNonGCHeapBounds(static_cast<uint32_t>(parts.size()), &count, parts.data()))) return {};
  parts.resize(std::min<size_t>(count, parts.size()));
  return parts;
}

std::optional<HeapSizes> heap_sizes(ProfilerInfo& info, std::vector<GenerationRange>& room) {
  constexpr uint32_t kLarge = 3, kPinned = 4;
  const auto parts = parts_of(info, room);
  if (!parts) return std::nullopt;
  HeapSizes sizes;
  for (const GenerationRange& part : *parts) {
    if (part.generation < kLarge) sizes.generations[part.generation] += part.length;
    if (part.generation == kLarge) sizes.large += part.length;
    if (part.generation == kPinned) sizes.pinned += part.length;
  }
  for (const FrozenRange& part : frozen_parts(info)) sizes.frozen += part.length;
  return sizes;
}

}  // namespace oriel::coreclr
