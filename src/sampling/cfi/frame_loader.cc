#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <span>

#include "base/files/descriptor.h"
#include "base/fnv1a.h"
#include "sampling/cfi/frame_tables.h"

namespace oriel::sampling {
namespace {

constexpr size_t kMaxLibraries = 1024;
constexpr size_t kMostNotes = 1024;
constexpr size_t kPage = 4096;

// The start of .eh_frame_hdr, in the only form that linkers write: all counts and offsets in 32 bits, relative to the
// field itself (frames) or to the header (table).
struct FrameHeader {
  uint8_t version;
  uint8_t frames_encoding;
  uint8_t count_encoding;
  uint8_t table_encoding;
  int32_t frames;
  uint32_t count;

  bool is_usual() const {
    return version == 1 && frames_encoding == 0x1b && count_encoding == 0x03 && table_encoding == 0x3b;
  }
};

// A library's original tables, and their location in its file.
struct Original {
  uintptr_t code_low = UINTPTR_MAX;
  uintptr_t code_high = 0;
  uintptr_t header = 0;
  uintptr_t header_end = 0;
  size_t index_size = 0;
  uintptr_t frames = 0;
  const ElfW(Phdr) * segment = nullptr;  // the segment that contains the frames
  uintptr_t segment_low = 0;
  const ElfW(Phdr) * notes = nullptr;
  uint64_t build = 0;  // as in FrameTable
};

// The state of dl_iterate_phdr's callback. Unchanged tables share their mappings with the previous list.
struct Gathering {
  FrameTable* tables = nullptr;
  size_t count = 0;
  const FrameTables* before = nullptr;
};

struct Version {
  unsigned long long loads = 0;
  unsigned long long unloads = 0;
};

void* map_memory(size_t size) {
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

// The records of .eh_frame end with one of length 0, or with the segment.
uintptr_t find_end_of_frames(uintptr_t at, uintptr_t limit) {
  while (limit - at >= sizeof(uint32_t)) {
    uint32_t length = 0;
    std::memcpy(&length, reinterpret_cast<const void*>(at), sizeof(length));
    if (length == 0 || length > limit - at - sizeof(length)) break;
    at += sizeof(length) + length;
  }
  return at;
}

// Never 0, which means no notes.
uint64_t hash_of(const uint8_t* bytes, size_t size) { return fnv1a(std::span(bytes, size)) | 1; }

bool find_originals(const dl_phdr_info& info, Original& original) {
  const ElfW(Phdr)* const end = info.dlpi_phdr + info.dlpi_phnum;
  for (const ElfW(Phdr)* segment = info.dlpi_phdr; segment != end; segment++) {
    const uintptr_t low = info.dlpi_addr + segment->p_vaddr;
    const uintptr_t high = low + segment->p_memsz;
    if (segment->p_type == PT_GNU_EH_FRAME) {
      original.header = low;
      original.header_end = high;
    }
    if (segment->p_type == PT_NOTE && segment->p_filesz <= kMostNotes) original.notes = segment;
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
    if (low < original.code_low) original.code_low = low;
    if (high > original.code_high) original.code_high = high;
  }
  if (original.header_end - original.header < sizeof(FrameHeader) || original.code_high == 0) return false;
  const auto& header = *reinterpret_cast<const FrameHeader*>(original.header);
  if (!header.is_usual()) return false;
  const size_t room = (original.header_end - original.header - sizeof(FrameHeader)) / sizeof(FrameIndexEntry);
  if (header.count == 0 || header.count > room) return false;
  original.index_size = header.count;
  original.frames = original.header + offsetof(FrameHeader, frames) + static_cast<uintptr_t>(intptr_t{header.frames});
  for (const ElfW(Phdr)* segment = info.dlpi_phdr; segment != end; segment++) {
    const uintptr_t low = info.dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_LOAD && original.frames >= low && original.frames < low + segment->p_filesz)
      original.segment = segment;
  }
  if (!original.segment) return false;
  original.segment_low = info.dlpi_addr + original.segment->p_vaddr;
  if (original.notes) {
    const auto* const notes = reinterpret_cast<const uint8_t*>(info.dlpi_addr + original.notes->p_vaddr);
    original.build = hash_of(notes, original.notes->p_filesz);
  }
  return true;
}

const FrameIndexEntry* index_of(const Original& original) {
  return reinterpret_cast<const FrameIndexEntry*>(original.header + sizeof(FrameHeader));
}

bool is_of(const FrameTable& table, const Original& original) {
  if (table.index_base != original.header || table.index_size != original.index_size ||
      table.frames_base != original.frames || table.build != original.build)
    return false;
  return table.build != 0 ||
         std::memcmp(table.index, index_of(original), table.index_size * sizeof(FrameIndexEntry)) == 0;
}

// Whether the file is that of the library, by its build id.
bool is_file_of(int file, const Original& original) {
  struct stat about {};
  if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) return false;
  const uint64_t end = original.segment->p_offset + original.segment->p_filesz;
  uint8_t notes[kMostNotes];
  const size_t size = original.notes->p_filesz;
  return static_cast<uint64_t>(about.st_size) >= end &&
         pread(file, notes, size, static_cast<off_t>(original.notes->p_offset)) == static_cast<ssize_t>(size) &&
         hash_of(notes, size) == original.build;
}

// Maps the segment with index and frames from the library's file. If somebody truncates the file, the program, whose
// code is mapped from it, is killed with or without this mapping.
bool map_file(const char* name, const Original& original, FrameTable& table) {
  const uintptr_t segment_end = original.segment_low + original.segment->p_filesz;
  const uintptr_t index_end = original.header + sizeof(FrameHeader) + original.index_size * sizeof(FrameIndexEntry);
  if (original.build == 0 || original.header < original.segment_low || index_end > segment_end) return false;
  const int file = open_with_high_number(*name ? name : "/proc/self/exe", O_RDONLY | O_NONBLOCK);
  if (file < 0) return false;
  const uintptr_t begin =
      (original.header < original.frames ? original.header : original.frames) & ~uintptr_t{kPage - 1};
  const uint64_t offset = original.segment->p_offset + (begin - original.segment_low);
  void* memory = MAP_FAILED;
  if (begin >= original.segment_low && offset % kPage == 0 && is_file_of(file, original))
    memory = mmap(nullptr, segment_end - begin, PROT_READ, MAP_PRIVATE, file, static_cast<off_t>(offset));
  close(file);
  if (memory == MAP_FAILED) return false;
  const auto* const bytes = static_cast<const uint8_t*>(memory);
  table.index = reinterpret_cast<const FrameIndexEntry*>(bytes + (original.header + sizeof(FrameHeader) - begin));
  table.frames = bytes + (original.frames - begin);
  table.frames_size = segment_end - original.frames;
  table.mapping = memory;
  table.mapping_size = segment_end - begin;
  madvise(memory, table.mapping_size, MADV_WILLNEED);  // so that a handler does not wait for a disk
  return true;
}

// One mapping holds index and frames.
bool copy_table(const Original& original, FrameTable& table) {
  const size_t index_bytes = original.index_size * sizeof(FrameIndexEntry);
  const uintptr_t limit = original.segment_low + original.segment->p_filesz;
  const size_t frames_bytes = find_end_of_frames(original.frames, limit) - original.frames;
  auto* memory = static_cast<uint8_t*>(map_memory(index_bytes + frames_bytes));
  if (!memory) return false;
  std::memcpy(memory, index_of(original), index_bytes);
  std::memcpy(memory + index_bytes, reinterpret_cast<const void*>(original.frames), frames_bytes);
  table.index = reinterpret_cast<const FrameIndexEntry*>(memory);
  table.frames = memory + index_bytes;
  table.frames_size = frames_bytes;
  table.mapping = memory;
  table.mapping_size = index_bytes + frames_bytes;
  return true;
}

int gather_library(dl_phdr_info* info, size_t, void* data) {
  auto& gathering = *static_cast<Gathering*>(data);
  Original original;
  if (gathering.count == kMaxLibraries || !find_originals(*info, original)) return 0;
  FrameTable table;
  for (size_t i = 0; gathering.before && i < gathering.before->count; i++) {
    if (is_of(gathering.before->tables[i], original)) table = gathering.before->tables[i];
  }
  if (!table.index && !map_file(info->dlpi_name, original, table) && !copy_table(original, table)) return 0;
  table.code_low = original.code_low;
  table.code_high = original.code_high;
  table.index_base = original.header;
  table.index_size = original.index_size;
  table.frames_base = original.frames;
  table.build = original.build;
  gathering.tables[gathering.count++] = table;
  return 0;
}

int compare_tables(const void* a, const void* b) {
  const uintptr_t left = static_cast<const FrameTable*>(a)->code_low;
  const uintptr_t right = static_cast<const FrameTable*>(b)->code_low;
  return left < right ? -1 : left > right;
}

bool uses(const FrameTables& all, const FrameTable& table) {
  for (size_t i = 0; i < all.count; i++) {
    if (all.tables[i].mapping == table.mapping) return true;
  }
  return false;
}

// A list and its array of tables share one mapping.
constexpr size_t kListBytes = sizeof(FrameTables) + kMaxLibraries * sizeof(FrameTable);

void free_list(const FrameTables* list, const FrameTables& kept) {
  for (size_t i = 0; i < list->count; i++) {
    const FrameTable& table = list->tables[i];
    if (!uses(kept, table)) munmap(table.mapping, table.mapping_size);
  }
  munmap(const_cast<FrameTables*>(list), kListBytes);
}

Version current_version() {
  Version version;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        *static_cast<Version*>(data) = {info->dlpi_adds, info->dlpi_subs};
        return 1;
      },
      &version);
  return version;
}

uintptr_t address_in_libc() { return reinterpret_cast<uintptr_t>(&dl_iterate_phdr); }

int find_libc(dl_phdr_info* info, size_t, void*) {
  const uintptr_t of_libc = address_in_libc();
  for (const ElfW(Phdr) & segment : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
    const uintptr_t low = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_LOAD || of_libc < low || of_libc - low >= segment.p_memsz) continue;
    bare_libc_high.store(low + segment.p_memsz);
    bare_libc_low.store(low);
    return 1;
  }
  return 0;
}

constinit std::atomic_flag refreshing;

void refresh(bool (*walks_have_ended)()) {
  static Version last;
  const Version version = current_version();
  const FrameTables* before = frame_tables.load();
  if (before && version.loads == last.loads && version.unloads == last.unloads) return;
  last = version;
  void* memory = map_memory(kListBytes);
  if (!memory) return;
  auto* list = static_cast<FrameTables*>(memory);
  auto* tables = reinterpret_cast<FrameTable*>(list + 1);
  Gathering gathering{tables, 0, before};
  dl_iterate_phdr(gather_library, &gathering);
  qsort(tables, gathering.count, sizeof(FrameTable), compare_tables);
  list->generation = before ? before->generation + 1 : 1;
  list->count = gathering.count;
  list->tables = tables;
  frame_tables.store(list);
  FrameEntry of_libc;
  if (!before && !frame_entry_of(*list, address_in_libc(), of_libc)) dl_iterate_phdr(find_libc, nullptr);
  // An earlier walk may still use the old list; if it does not end, the list is leaked.
  if (before && walks_have_ended()) free_list(before, *list);
}

}  // namespace

void copy_frame_tables(bool (*walks_have_ended)()) {
  if (refreshing.test_and_set(std::memory_order_acquire)) return;
  refresh(walks_have_ended);
  refreshing.clear(std::memory_order_release);
}

}  // namespace oriel::sampling
