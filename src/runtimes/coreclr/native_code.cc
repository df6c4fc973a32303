#include "runtimes/coreclr/native_code.h"

#include <algorithm>

namespace oriel::coreclr {
namespace {

constexpr uint32_t kUsualVersions = 8;
constexpr uint32_t kUsualRegions = 4;

void append_regions(ProfilerInfo& info, uintptr_t start, std::vector<CodeRegion>& regions) {
  const Held held;
  std::vector<CodeInfo> infos(kUsualRegions);
  uint32_t count = 0;
  const auto ask = [&] {
    return info.GetCodeInfo4(held, start, static_cast<uint32_t>(infos.size()), &count, infos.data());
  };
  if (failed(ask())) return;
  if (count > infos.size()) {
    infos.resize(count);
    if (failed(ask())) return;
  }
  infos.resize(std::min<size_t>(count, infos.size()));
  for (const CodeInfo& code : infos) {
    if (code.size != 0) regions.push_back({start, code});
  }
}

}  // namespace

std::vector<uintptr_t> code_versions(ProfilerInfo& info, FunctionID function, ReJITID version) {
  const Held held;
  std::vector<uintptr_t> starts(kUsualVersions);
  uint32_t count = 0;
  const auto ask = [&] {
    const auto room = static_cast<uint32_t>(starts.size());
    return info.GetNativeCodeStartAddresses(held, function, version, room, &count, starts.data());
  };
  if (failed(ask())) return {};
  if (count > starts.size()) {  // a version may be added in between: it will be reported by itself
    starts.resize(count);
    if (failed(ask())) return {};
  }
  starts.resize(std::min<size_t>(count, starts.size()));
  std::erase(starts, 0u);
  return starts;
}

std::vector<CodeRegion> code_regions(ProfilerInfo& info, FunctionID function, ReJITID version) {
  std::vector<CodeRegion> regions;
  for (const uintptr_t start : code_versions(info, function, version)) append_regions(info, start, regions);
  return regions;
}

// Only for start addresses: the runtime takes any other address for one.
std::vector<IlRange> il_ranges(ProfilerInfo& info, uintptr_t start) {
  const Held held;
  std::vector<CodeRegion> regions;
  append_regions(info, start, regions);
  if (regions.empty() || regions.front().code.start != start) return {};
  uint32_t count = 0;
  if (failed(info.GetILToNativeMapping3(held, start, 0, &count, nullptr))) return {};
  std::vector<IlRange> ranges(count);
  if (failed(info.GetILToNativeMapping3(held, start, count, &count, ranges.data()))) return {};
  ranges.resize(std::min<size_t>(count, ranges.size()));
  return ranges;
}

CodeInfo code_region_at(ProfilerInfo& info, FunctionID function, ReJITID version, uintptr_t address) {
  const std::vector<CodeRegion> regions = code_regions(info, function, version);
  for (const CodeRegion& region : regions) {
    if (address - region.code.start < region.code.size) return region.code;
  }
  return {address, regions.empty() ? 1u : 0u};
}

void PrecompiledCode::is_used(FunctionID function) {
  const std::lock_guard lock(waiting_lock_);
  waiting_.push_back(function);
}

bool PrecompiledCode::knows(uintptr_t low, uintptr_t address) const {
  const auto lowest = starts_.lower_bound(low);
  return lowest != starts_.end() && *lowest <= address;
}

void PrecompiledCode::learn(ProfilerInfo& info, FunctionID function) {
  for (const uintptr_t start : code_versions(info, function, 0)) starts_.insert(start);
}

bool PrecompiledCode::reaches(ProfilerInfo& info, uintptr_t low, uintptr_t address) {
  const std::lock_guard lock(asking_);
  while (!knows(low, address)) {
    FunctionID function = 0;
    {
      const std::lock_guard waiting_lock(waiting_lock_);
      if (waiting_.empty()) return false;
      function = waiting_.back();
      waiting_.pop_back();
    }
    learn(info, function);
  }
  return true;
}

void PrecompiledCode::resolve_all(ProfilerInfo& info) { reaches(info, UINTPTR_MAX, 0); }

}  // namespace oriel::coreclr
