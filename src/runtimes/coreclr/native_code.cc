#include "runtimes/coreclr/native_code.h"

#include <algorithm>

#include "base/clock.h"

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

// Stops at the first function that it was about, so that a search of a module of which much is used is short.
bool PrecompiledCode::search_in(ProfilerInfo& info, LoadedModules& modules, ModuleID module, uintptr_t low,
                                uintptr_t address) {
  bool found = false;
  modules.while_loaded(module, [&] {
    const Held held;
    const ModuleMetadata metadata = modules.metadata(module);
    for (Token method = kMethodDefTable + 1; !found && metadata.is_open() && metadata.has(method); ++method) {
      FunctionID function = 0;
      if (failed(info.GetFunctionFromToken(held, module, method, &function)) || function == 0) continue;
      learn(info, function);
      found = knows(low, address);
    }
  });
  return found;
}

// An address that is none of code in use, as a damaged stack may have it, costs a search of all modules. So its
// neighbours are not searched for soon after.
bool PrecompiledCode::search(ProfilerInfo& info, LoadedModules& modules, uintptr_t low, uintptr_t address) {
  constexpr uint64_t kAgain = 1'000'000'000;  // nanoseconds
  constexpr unsigned kPageBits = 12;
  const std::lock_guard lock(asking_);
  if (knows(low, address)) return true;
  const auto before = in_vain_.find(address >> kPageBits);
  if (before != in_vain_.end() && clock_monotonic_ns() - before->second < kAgain) return false;
  std::vector<std::pair<uintptr_t, ModuleID>> nearest;  // by distance
  for (const ModuleID module : modules.all()) {
    const uint8_t* base = nullptr;
    uint32_t length = 0;
    AssemblyID assembly = 0;
    const HResult told = info.GetModuleInfo(Held(), module, &base, 0u, &length, nullptr, &assembly);
    const auto at = reinterpret_cast<uintptr_t>(base);
    nearest.emplace_back(failed(told) || at > address ? UINTPTR_MAX : address - at, module);
  }
  std::ranges::sort(nearest);
  for (const auto& [distance, module] : nearest)
    if (search_in(info, modules, module, low, address)) return true;
  in_vain_[address >> kPageBits] = clock_monotonic_ns();
  return false;
}

void PrecompiledCode::resolve_all(ProfilerInfo& info) { reaches(info, UINTPTR_MAX, 0); }

}  // namespace oriel::coreclr
