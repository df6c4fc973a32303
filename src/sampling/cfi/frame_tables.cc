#include "sampling/cfi/frame_tables.h"

namespace oriel::sampling {
namespace {

// Pointer encodings (LSB core specification, DWARF extensions): the stored form, and the base.
enum Format : uint8_t {
  kPointer = 0x00,
  kUnsigned = 0x01,  // LEB128
  kUnsigned2 = 0x02,
  kUnsigned4 = 0x03,
  kUnsigned8 = 0x04,
  kSigned = 0x09,  // LEB128
  kSigned2 = 0x0a,
  kSigned4 = 0x0b,
  kSigned8 = 0x0c,
};
constexpr uint8_t kFormatMask = 0x0f;
constexpr uint8_t kRelativeToMask = 0x70;
constexpr uint8_t kAbsolute = 0x00;
constexpr uint8_t kRelativeToItself = 0x10;
constexpr uint8_t kOmitted = 0xff;

int64_t take_formatted(ByteCursor& cursor, uint8_t format) {
  switch (format & kFormatMask) {
    case kPointer:
      return static_cast<int64_t>(cursor.take<uint64_t>());
    case kUnsigned:
      return static_cast<int64_t>(cursor.take_unsigned());
    case kUnsigned2:
      return cursor.take<uint16_t>();
    case kUnsigned4:
      return cursor.take<uint32_t>();
    case kUnsigned8:
      return static_cast<int64_t>(cursor.take<uint64_t>());
    case kSigned:
      return cursor.take_signed();
    case kSigned2:
      return cursor.take<int16_t>();
    case kSigned4:
      return cursor.take<int32_t>();
    case kSigned8:
      return cursor.take<int64_t>();
    default:
      return 0;
  }
}

// The record at `offset`: its contents after the length. 64-bit lengths do not occur in .eh_frame.
bool take_record(const FrameTable& table, size_t offset, ByteCursor& record) {
  if (offset >= table.frames_size) return false;
  ByteCursor cursor(table.frames + offset, table.frames + table.frames_size);
  const uint32_t length = cursor.take<uint32_t>();
  if (length == 0 || length == UINT32_MAX) return false;
  record = cursor.take_block(length);
  return cursor.ok();
}

// Reads from the CIE: alignments, return register, and the encoding of the FDE's addresses.
bool read_common(const FrameTable& table, size_t offset, FrameEntry& entry, uint8_t& pointers, bool& augmented) {
  ByteCursor record(nullptr, nullptr);
  if (!take_record(table, offset, record) || record.take<uint32_t>() != 0) return false;
  const uint8_t version = record.take<uint8_t>();
  if (version != 1 && version != 3) return false;
  char augmentation[8] = {};
  size_t length = 0;
  while (const char c = record.take<char>()) {
    if (length == sizeof(augmentation) - 1) return false;
    augmentation[length++] = c;
  }
  entry.code_align = record.take_unsigned();
  entry.data_align = record.take_signed();
  entry.return_register = version == 1 ? record.take<uint8_t>() : record.take_unsigned();
  pointers = kAbsolute;
  augmented = augmentation[0] == 'z';
  if (!augmented && length != 0) return false;
  ByteCursor extra(nullptr, nullptr);
  if (augmented) extra = record.take_block(record.take_unsigned());
  for (size_t i = 1; i < length; i++) {
    switch (augmentation[i]) {
      case 'R':
        pointers = extra.take<uint8_t>();
        break;
      case 'P': {
        const uint8_t format = extra.take<uint8_t>();
        take_formatted(extra, format);
        break;
      }
      case 'L':
        extra.take<uint8_t>();
        break;
      case 'S':
        entry.is_signal_frame = true;
        break;
      case 'B':
        break;
      default:
        return false;
    }
  }
  entry.initial = record;
  return record.ok() && extra.ok();
}

}  // namespace

constinit std::atomic<const FrameTables*> frame_tables{nullptr};
constinit std::atomic<uintptr_t> bare_libc_low{UINTPTR_MAX}, bare_libc_high{0};

const FrameTable* find_frame_table(const FrameTables& all, uintptr_t pc) {
  size_t low = 0, high = all.count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (pc >= all.tables[middle].code_high) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == all.count || pc < all.tables[low].code_low) return nullptr;
  return &all.tables[low];
}

bool find_frame_entry(const FrameTable& table, uintptr_t pc, size_t& offset) {
  const int64_t wanted = static_cast<int64_t>(pc - table.index_base);
  size_t low = 0, high = table.index_size;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (table.index[middle].code <= wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) return false;
  offset = table.index_base + static_cast<uintptr_t>(int64_t{table.index[low - 1].frame}) - table.frames_base;
  return offset < table.frames_size;
}

bool read_frame_entry(const FrameTable& table, size_t offset, FrameEntry& entry) {
  ByteCursor record(nullptr, nullptr);
  if (!take_record(table, offset, record)) return false;
  // The CIE's offset is relative to the field that holds it.
  const size_t back_from = static_cast<size_t>(record.at() - table.frames);
  const uint32_t back = record.take<uint32_t>();
  uint8_t pointers = 0;
  bool augmented = false;
  if (back == 0 || back > back_from) return false;
  if (!read_common(table, back_from - back, entry, pointers, augmented)) return false;
  const uint8_t relative_to = pointers & kRelativeToMask;
  if (pointers == kOmitted || (relative_to != kAbsolute && relative_to != kRelativeToItself)) return false;
  const uintptr_t here = table.frames_base + static_cast<size_t>(record.at() - table.frames);
  entry.code_low = static_cast<uintptr_t>(take_formatted(record, pointers)) + (relative_to == kAbsolute ? 0 : here);
  entry.code_high = entry.code_low + static_cast<uintptr_t>(take_formatted(record, pointers));
  if (augmented) record.take_block(record.take_unsigned());
  entry.program = record;
  return record.ok();
}

bool frame_entry_of(const FrameTables& all, uintptr_t pc, FrameEntry& entry) {
  const FrameTable* const table = find_frame_table(all, pc);
  size_t offset = 0;
  return table && find_frame_entry(*table, pc, offset) && read_frame_entry(*table, offset, entry) &&
         pc >= entry.code_low && pc < entry.code_high;
}

}  // namespace oriel::sampling
