#include "symbols/symbol_table.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstring>

namespace oriel::symbols {
namespace {

// Hand-written code is seldom longer without another symbol.
constexpr uint64_t kMaxUnsized = 4096;
// How far back to search for a function that encloses later ones.
constexpr int kMaxEnclosed = 32;

bool is_before(const ElfSymbol& a, const ElfSymbol& b, const char* names) {
  if (a.start != b.start) return a.start < b.start;
  if ((a.size == 0) != (b.size == 0)) return a.size != 0;
  if (a.rank != b.rank) return a.rank > b.rank;
  if (a.size != b.size) return a.size > b.size;
  return std::strlen(names + a.name) > std::strlen(names + b.name);
}

// Strips the version that the linker appends: "pthread_cond_wait@@GLIBC_2.3.2". Symbols have no other @.
const char* without_version(char* name) {
  char* const version = std::strchr(name, '@');
  if (version && version != name) *version = '\0';
  return name;
}

// Images are at most 4 GiB; symbols beyond that are ignored.
bool is_near(uint64_t base, uint64_t start) { return start - base < UINT32_MAX; }

uint32_t limited(uint64_t size) { return static_cast<uint32_t>(std::min<uint64_t>(size, UINT32_MAX)); }

}  // namespace

SymbolTable::SymbolTable(ElfSymbols symbols, bool whole) : names_(std::move(symbols.names)) {
  auto& all = symbols.symbols;
  std::sort(all.begin(), all.end(),
            [this](const ElfSymbol& a, const ElfSymbol& b) { return is_before(a, b, names_.data()); });
  const auto same_start = [](const ElfSymbol& a, const ElfSymbol& b) { return a.start == b.start; };
  all.erase(std::unique(all.begin(), all.end(), same_start), all.end());
  if (all.empty()) return;
  base_ = all.front().start;
  entries_.reserve(all.size());
  for (size_t i = 0; i < all.size() && is_near(base_, all[i].start); i++) {
    uint64_t size = all[i].size;
    if (size == 0) {
      const uint64_t next = i + 1 < all.size() ? all[i + 1].start : all[i].start + 1;
      size = whole ? std::min(next - all[i].start, kMaxUnsized) : 1;
    }
    entries_.push_back({static_cast<uint32_t>(all[i].start - base_), limited(size), all[i].name});
  }
}

void SymbolTable::add_nameless(const PageVector<uint64_t>& starts) {
  if (starts.empty()) return;
  const size_t named = entries_.size();
  const uint64_t base = named == 0 ? starts.front() : std::min(base_, starts.front());
  PageVector<Entry> all;
  all.reserve(named + starts.size());
  for (const Entry& entry : entries_) {
    const uint64_t start = base_ + entry.start;
    if (is_near(base, start)) all.push_back({static_cast<uint32_t>(start - base), entry.size, entry.name});
  }
  const size_t kept = all.size();
  size_t next = 0;
  uint64_t covered = 0;  // symbols cover the code up to here
  const auto start_of = [&](size_t index) { return base + all[index].start; };
  for (size_t i = 0; i < starts.size() && is_near(base, starts[i]); i++) {
    for (; next < kept && start_of(next) <= starts[i]; next++)
      covered = std::max(covered, start_of(next) + all[next].size);
    if (starts[i] < covered) continue;
    uint64_t end = i + 1 < starts.size() ? starts[i + 1] : starts[i] + kMaxUnsized;
    if (next < kept) end = std::min(end, start_of(next));
    all.push_back({static_cast<uint32_t>(starts[i] - base), limited(end - starts[i]), kNameless});
  }
  std::inplace_merge(all.begin(), all.begin() + static_cast<ptrdiff_t>(kept), all.end(),
                     [](const Entry& a, const Entry& b) { return a.start < b.start; });
  base_ = base;
  entries_ = std::move(all);
}

const char* SymbolTable::readable(uint32_t name) {
  if (name == kNameless) return nullptr;
  const char* const symbol = without_version(&names_[name]);
  if (std::strncmp(symbol, "_Z", 2) != 0) return symbol;
  const auto [entry, added] = readable_.try_emplace(name);
  if (added) {
    int status = 0;
    entry->second.reset(abi::__cxa_demangle(symbol, nullptr, nullptr, &status));
  }
  return entry->second ? entry->second.get() : symbol;
}

std::optional<SymbolTable::Function> SymbolTable::find(uint64_t address) {
  if (address < base_) return std::nullopt;
  const uint64_t at = address - base_;
  auto after = std::upper_bound(entries_.begin(), entries_.end(), at,
                                [](uint64_t value, const Entry& entry) { return value < entry.start; });
  for (int i = 0; i < kMaxEnclosed && after != entries_.begin(); i++) {
    const Entry& entry = *--after;
    if (at - entry.start >= entry.size) continue;
    return Function{base_ + entry.start, entry.size, readable(entry.name)};
  }
  return std::nullopt;
}

}  // namespace oriel::symbols
