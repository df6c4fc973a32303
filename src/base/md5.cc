#include "base/md5.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <vector>

namespace oriel {
namespace {

using Md5State = std::array<uint32_t, 4>;

// The first 32 bits behind the point of the sines of 1, 2, 3 and so on, without their signs.
std::array<uint32_t, 64> sines() {
  std::array<uint32_t, 64> bits{};
  for (size_t i = 0; i < bits.size(); ++i)
    bits[i] = static_cast<uint32_t>(std::abs(std::sin(static_cast<double>(i + 1))) * 0x1p32);
  return bits;
}

// How the round mixes three words, and which word of the chunk it takes.
struct Mixed {
  uint32_t bits;
  size_t word;
};

Mixed mix(size_t i, uint32_t b, uint32_t c, uint32_t d) {
  switch (i / 16) {
    case 0:
      return {(b & c) | (~b & d), i};
    case 1:
      return {(d & b) | (~d & c), (5 * i + 1) % 16};
    case 2:
      return {b ^ c ^ d, (3 * i + 5) % 16};
    default:
      return {c ^ (b | ~d), 7 * i % 16};
  }
}

void add_md5_chunk(const uint8_t* chunk, Md5State& state) {
  static const std::array<uint32_t, 64> kSines = sines();
  constexpr int kTurns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  std::array<uint32_t, 16> words{};
  for (size_t i = 0; i < words.size(); ++i)
    for (size_t byte = 0; byte < 4; ++byte) words[i] |= uint32_t{chunk[4 * i + byte]} << (8 * byte);
  auto [a, b, c, d] = state;
  for (size_t i = 0; i < 64; ++i) {
    const Mixed mixed = mix(i, b, c, d);
    const uint32_t sum = a + mixed.bits + kSines[i] + words[mixed.word];
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, kTurns[i / 16][i % 4]);
  }
  const Md5State added = {a, b, c, d};
  for (size_t i = 0; i < state.size(); ++i) state[i] += added[i];
}

}  // namespace

std::array<uint8_t, 16> md5(std::span<const uint8_t> bytes) {
  constexpr size_t kChunk = 64, kLength = 8;
  Md5State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  size_t at = 0;
  for (; bytes.size() - at >= kChunk; at += kChunk) add_md5_chunk(bytes.data() + at, state);
  std::vector<uint8_t> tail(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end());
  tail.push_back(0x80);
  while (tail.size() % kChunk != kChunk - kLength) tail.push_back(0);
  for (size_t i = 0; i < kLength; ++i) tail.push_back(static_cast<uint8_t>(uint64_t{bytes.size()} * 8 >> (8 * i)));
  for (size_t i = 0; i < tail.size(); i += kChunk) add_md5_chunk(tail.data() + i, state);
  std::array<uint8_t, 16> hash{};
  for (size_t i = 0; i < hash.size(); ++i) hash[i] = static_cast<uint8_t>(state[i / 4] >> (8 * (i % 4)));
  return hash;
}

}  // namespace oriel
