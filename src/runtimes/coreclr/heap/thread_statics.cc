#include "runtimes/coreclr/heap/thread_statics.h"

#include <algorithm>
#include <iterator>

#include "runtimes/coreclr/heap/method_table.h"

namespace oriel::coreclr {
namespace {

bool is_array_of_references(uintptr_t object) {
  const MethodTable facts(method_table_of(object));
  return facts.element_size == kWord && facts.has_references;
}

uintptr_t element(uintptr_t array, uint32_t index) {
  return word_at<uintptr_t>(array + elements_offset(MethodTable(method_table_of(array)).base_size) + index * kWord);
}

// What the map has for a class: its method table, and in the lowest bits whether the place is that of its references.
constexpr uintptr_t kIsOfReferences = 1, kFlags = 3;

}  // namespace

bool ThreadStatics::prepare() {
  memory_ = PageMemory(kMostThreads * sizeof(OfThread));
  return static_cast<bool>(memory_);
}

bool ThreadStatics::look_at(uintptr_t place, uintptr_t value) {
  if (map_ == 0 && is_map(place, value)) {
    map_ = value;
    map_count_ = native_.at<uint32_t>(place + kWord);
    return false;
  }
  if (count_ == kMostThreads || objects_.number_of(value) == ObjectMap::kNone || !is_array_of_thread(place, value))
    return false;
  memory_.as<OfThread>()[count_++] = {place, value};
  return true;
}

// ThreadLocalData: how many places there are, with those that are not in the array, and how many of collectible
// classes; the array; that of collectible classes; the runtime's thread. That refers back to it.
bool ThreadStatics::is_array_of_thread(uintptr_t place, uintptr_t array) const {
  const uintptr_t data = place - kWord;
  if (!is_array_of_references(array) || !areas_.has(data, 4 * kWord)) return false;
  return native_.at<uint32_t>(data) == length_of(array, kWord) + kFirstIndex &&
         thread_has(data, [&](uintptr_t word) { return word == data; });
}

// TLSIndexToMethodTableMap: the entries; how many; how many of collectible classes, none here; that it is this map.
bool ThreadStatics::is_map(uintptr_t place, uintptr_t entries) const {
  constexpr uint32_t kMostPlaces = 1 << 20;
  if (entries % kWord != 0 || !areas_.has(place, 3 * kWord)) return false;
  const auto count = native_.at<uint32_t>(place + kWord);
  if (count <= kFirstIndex || count > kMostPlaces || native_.at<uint32_t>(place + kWord + 4) != 0 ||
      native_.at<uint8_t>(place + 2 * kWord) != 0 || !areas_.has(entries, count * kWord))
    return false;
  uintptr_t some[256];
  bool any = false;
  for (uint32_t first = kFirstIndex; first < count; first += std::size(some)) {
    const uint32_t some_count = std::min<uint32_t>(count - first, std::size(some));
    if (!native_.copy(entries + first * kWord, some, some_count * kWord)) return false;
    for (uint32_t i = 0; i < some_count; ++i) {
      if (some[i] == 0) continue;
      if (!has_index(some[i], first + i)) return false;
      any = true;
    }
  }
  return any;
}

// Whether the class says so, too: ThreadStaticsInfo before its auxiliary data has the places of its fields, of those
// without references first.
bool ThreadStatics::has_index(uintptr_t entry, uint32_t index) const {
  constexpr uintptr_t kThreadStaticsInfo = 40;
  const uintptr_t table = entry & ~kFlags;
  if (!areas_.has(table, kAuxiliaryData + kWord)) return false;
  const auto auxiliary = native_.at<uintptr_t>(table + kAuxiliaryData);
  if (auxiliary % kWord != 0 || !areas_.has(auxiliary - kThreadStaticsInfo, kThreadStaticsInfo)) return false;
  return native_.at<uint32_t>(auxiliary - kThreadStaticsInfo + ((entry & kIsOfReferences) != 0 ? 4 : 0)) == index;
}

// 0 behind the last.
uintptr_t ThreadStatics::fields_at(uintptr_t array, uint32_t index) const {
  if (index >= length_of(array, kWord)) return 0;
  const uintptr_t fields = element(array, index);
  const bool is_there = objects_.number_of(fields) != ObjectMap::kNone && is_array_of_references(fields);
  return is_there ? fields : kNoFields;
}

uintptr_t ThreadStatics::table_at(uint32_t index) const {
  return index < map_count_ ? native_.at<uintptr_t>(map_ + index * kWord) & ~kFlags : 0;
}

bool ThreadStatics::add_fields(uintptr_t fields, uintptr_t table, uint32_t thread) {
  if (table == 0) return false;
  const auto count = static_cast<uint32_t>(length_of(fields, kWord));
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t number = objects_.number_of(element(fields, i));
    if (number != ObjectMap::kNone) found_.add_root({number, 0, count - i, table, thread, ORIEL_HEAP_THREAD_STATIC});
  }
  return true;
}

template <typename IsIt>
bool ThreadStatics::thread_has(uintptr_t data, IsIt is_it) const {
  uintptr_t words[512];  // more than any version has
  const auto thread = native_.at<uintptr_t>(data + 3 * kWord);
  const MemoryArea* const area = thread % kWord == 0 ? areas_.around(thread) : nullptr;
  if (area == nullptr || !area->is_readable || !area->is_writable) return false;
  const size_t count = std::min<size_t>((area->end - thread) / kWord, std::size(words));
  return native_.copy(thread, words, count * kWord) && std::any_of(words, words + count, is_it);
}

uint32_t ThreadStatics::os_id_of(uintptr_t place, std::span<const StoppedThread> threads) const {
  uint32_t id = 0;
  thread_has(place - kWord, [&](uintptr_t word) {
    const auto its = std::ranges::find(threads, word, &StoppedThread::os_id);
    if (its != threads.end()) id = its->os_id;
    return id != 0;
  });
  return id;
}

}  // namespace oriel::coreclr
