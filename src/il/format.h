// Numbers of the method body format, ECMA-335 II.25.4.
#pragma once

#include <cstdint>

namespace oriel::il {

inline constexpr uint8_t kFormatMask = 0x03;
inline constexpr uint8_t kTinyFormat = 0x02;
inline constexpr uint8_t kFatFormat = 0x03;
inline constexpr unsigned kTinySizeLimit = 64;
inline constexpr unsigned kTinyMaxStack = 8;

// Bits of a fat header's first two bytes; the top four bits are its length in words of four bytes.
inline constexpr uint16_t kMoreSections = 0x0008;
inline constexpr uint16_t kInitLocals = 0x0010;
inline constexpr uint16_t kFlagsMask = 0x0fff;
inline constexpr unsigned kFatHeaderWords = 3;
inline constexpr unsigned kFatHeaderBytes = 12;

// Bits of a section's first byte.
inline constexpr uint8_t kSectionExceptions = 0x01;
inline constexpr uint8_t kSectionKindMask = 0x3f;
inline constexpr uint8_t kSectionFat = 0x40;
inline constexpr uint8_t kSectionMore = 0x80;
inline constexpr unsigned kSectionHeaderBytes = 4;
inline constexpr unsigned kSmallClauseBytes = 12;
inline constexpr unsigned kFatClauseBytes = 24;
inline constexpr unsigned kSmallSectionLimit = 0xff;
inline constexpr unsigned kFatSectionLimit = 0xffffff;

}  // namespace oriel::il
