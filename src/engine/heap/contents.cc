#include "engine/heap/contents.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace oriel {
namespace {

constexpr uint64_t kWord = sizeof(uint64_t);

// Any odd numbers with about as many ones as zeros.
constexpr uint64_t kOne = 0xd6e8feb86659fd93, kTwo = 0xa0761d6478bd642f, kThree = 0xe7037ed1a0b428db,
                   kFour = 0x8ebc6af09c88c6e3;

__extension__ using Wide = unsigned __int128;

// Each bit of the product's halves depends on all bits of both.
uint64_t multiplied(uint64_t a, uint64_t b) {
  const auto product = Wide{a} * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

template <typename T>
T loaded(uintptr_t address) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value;
}

// Of less than 8 bytes.
uint64_t short_word(uintptr_t start, uint64_t bytes) {
  uint64_t word = 0;
  if ((bytes & 4) != 0) word = loaded<uint32_t>(start), start += 4;
  if ((bytes & 2) != 0) word = word << 16 | loaded<uint16_t>(start), start += 2;
  if ((bytes & 1) != 0) word = word << 8 | loaded<uint8_t>(start);
  return word;
}

}  // namespace

// Two chains, so that one multiplication need not wait for the other. The last word overlaps the one before it.
Contents contents_of(uintptr_t start, uint64_t bytes, uint64_t seed) {
  constexpr uint64_t kAtOnce = 32;
  const uintptr_t end = start + bytes;
  uint64_t one = seed ^ kOne, two = bytes ^ kTwo, any = 0;
  for (; end - start >= kAtOnce; start += kAtOnce) {
    const uint64_t a = loaded<uint64_t>(start), b = loaded<uint64_t>(start + kWord),
                   c = loaded<uint64_t>(start + 2 * kWord), d = loaded<uint64_t>(start + 3 * kWord);
    any |= a | b | c | d;
    one = multiplied(a ^ kThree, b ^ one);
    two = multiplied(c ^ kFour, d ^ two);
  }
  const auto add = [&](uint64_t word) {
    any |= word;
    one = multiplied(word ^ kThree, one ^ std::rotl(two, 17));
  };
  for (; end - start >= kWord; start += kWord) add(loaded<uint64_t>(start));
  if (start != end) add(bytes >= kWord ? loaded<uint64_t>(end - kWord) : short_word(start, bytes));
  return {multiplied(one ^ kThree, two ^ kFour), any == 0};
}

bool RepeatedContents::prepare(uint64_t heap_bytes) {
  constexpr uint64_t kLeast = 1 << 16, kHeapBytesPerByte = 64;
  const uint64_t bytes = std::bit_floor(std::max(heap_bytes / kHeapBytesPerByte, kLeast));
  memory_ = PageMemory(bytes);
  counts_ = memory_.as<uint8_t>();
  mask_ = bytes - 1;
  return static_cast<bool>(memory_);
}

int64_t RepeatedContents::value_of(const Contents& contents) const {
  constexpr uint64_t kBits = (uint64_t{1} << 34) - 1;
  enum : int64_t { kUnique, kZeros, kFirst };
  if (contents.is_zero) return kZeros;
  if (!contains(contents.hash)) return kUnique;
  return std::max<int64_t>(static_cast<int64_t>(contents.hash & kBits), kFirst);
}

bool LargestTexts::prepare() {
  memory_ = PageMemory(sizeof(Entry) * kRows * kInRow);
  return static_cast<bool>(memory_);
}

void LargestTexts::add(uint64_t hash, uintptr_t string, uint64_t number, uint64_t bytes) {
  Entry* const row = memory_.as<Entry>() + hash % kRows * kInRow;
  Entry* entry = row;
  for (Entry* at = row; at != row + kInRow; ++at) {
    if (at->hash == hash) {
      at->bytes += bytes;
      ++at->copies;
      return;
    }
    if (at->bytes < entry->bytes) entry = at;
  }
  *entry = {hash, bytes, number, string, 1};
}

void LargestTexts::tell(FoundHeap& found, StringLayout layout) {
  constexpr uint64_t kFewestCopies = 10;
  Entry* const begin = memory_.as<Entry>();
  Entry* const end =
      std::partition(begin, begin + kRows * kInRow, [](const Entry& entry) { return entry.copies >= kFewestCopies; });
  Entry* const last = begin + std::min<ptrdiff_t>(end - begin, FoundHeap::kMostTexts);
  std::partial_sort(begin, last, end, [](const Entry& a, const Entry& b) { return a.bytes > b.bytes; });
  for (const Entry* entry = begin; entry != last; ++entry) {
    TextOnHeap& text = found.texts[found.texts_count++];
    text.object = entry->number;
    text.units = std::min(loaded<uint32_t>(entry->string + layout.length_offset), TextOnHeap::kMostUnits);
    std::memcpy(text.text, reinterpret_cast<const void*>(entry->string + layout.characters_offset),
                text.units * sizeof(char16_t));
  }
}

}  // namespace oriel
