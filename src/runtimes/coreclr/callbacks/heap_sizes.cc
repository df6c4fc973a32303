#include "runtimes/coreclr/callbacks/heap_sizes.h"

#include <algorithm>
#include <array>
#include <span>

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

// Frozen objects, such as literals. If there are more parts than fit, the rest is left out.
uint64_t frozen_size(ProfilerInfo& info) {
  ComPtr<ProfilerInfo> newer;
  if (failed(info.QueryInterface(kICorProfilerInfo14Id, reinterpret_cast<void**>(newer.receive())))) return 0;
  std::array<FrozenRange, 64> parts;
  uint32_t count = 0;
  if (failed(newer->GetNonGCHeapBounds(parts.size(), &count, parts.data()))) return 0;
  uint64_t sum = 0;
  for (const FrozenRange& part : std::span(parts).first(std::min<size_t>(count, parts.size()))) sum += part.length;
  return sum;
}

}  // namespace

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
  sizes.frozen = frozen_size(info);
  return sizes;
}

}  // namespace oriel::coreclr
