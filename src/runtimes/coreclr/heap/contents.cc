#include "runtimes/coreclr/heap/contents.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtimes/coreclr/heap/method_table.h"

namespace oriel::coreclr {
namespace {

// Any odd numbers with about as many ones as zeros.
constexpr uint64_t kOne = 0xd6e8feb86659fd93, kTwo = 0xa0761d6478bd642f, kThree = 0xe7037ed1a0b428db,
                   kFour = 0x8ebc6af09c88c6e3;

__extension__ using Wide = unsigned __int128;

// Each bit of the product's halves depends on all bits of both.
uint64_t multiplied(uint64_t a, uint64_t b) {
  const auto product = Wide{a} * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

}  // namespace

// Two chains, so that one multiplication need not wait for the other.
Contents contents_of(uintptr_t start, uint64_t bytes, uint64_t seed) {
  constexpr uint64_t kAtOnce = 32;
  uint64_t one = seed ^ kOne, two = bytes ^ kTwo, any = 0;
  for (; bytes >= kAtOnce; bytes -= kAtOnce, start += kAtOnce) {
    uint64_t words[4];
    std::memcpy(words, reinterpret_cast<const void*>(start), sizeof words);
    any |= words[0] | words[1] | words[2] | words[3];
    one = multiplied(words[0] ^ kThree, words[1] ^ one);
    two = multiplied(words[2] ^ kFour, words[3] ^ two);
  }
  for (; bytes != 0;) {
    uint64_t word = 0;
    const uint64_t here = std::min<uint64_t>(bytes, sizeof word);
    std::memcpy(&word, reinterpret_cast<const void*>(start), here);
    any |= word;
    one = multiplied(word ^ kThree, one ^ std::rotl(two, 17));
    bytes -= here;
    start += here;
  }
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

void LargestTexts::tell(FoundHeap& found) {
  constexpr uint64_t kFewestCopies = 10;
  Entry* const begin = memory_.as<Entry>();
  Entry* const end =
      std::partition(begin, begin + kRows * kInRow, [](const Entry& entry) { return entry.copies >= kFewestCopies; });
  Entry* const last = begin + std::min<ptrdiff_t>(end - begin, FoundHeap::kMostTexts);
  std::partial_sort(begin, last, end, [](const Entry& a, const Entry& b) { return a.bytes > b.bytes; });
  for (const Entry* entry = begin; entry != last; ++entry) {
    TextOnHeap& text = found.texts[found.texts_count++];
    text.object = entry->number;
    text.units = std::min(word_at<uint32_t>(entry->string + kLengthOffset), TextOnHeap::kMostUnits);
    std::memcpy(text.text, reinterpret_cast<const void*>(entry->string + kCharactersOffset),
                text.units * sizeof(char16_t));
  }
}

}  // namespace oriel::coreclr
