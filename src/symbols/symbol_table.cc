#include "symbols/symbol_table.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstring>

namespace oriel::symbols {
namespace {

// Hand-written code seldom goes on longer without a symbol.
constexpr uint64_t kMaxUnsized = 4096;
// How far back to look for a function that encloses those that start after it.
constexpr int kMaxEnclosed = 32;

bool is_before(const SymbolTable::Function& a, const SymbolTable::Function& b) {
  if (a.start != b.start) return a.start < b.start;
  if ((a.size == 0) != (b.size == 0)) return a.size != 0;
  if (a.rank != b.rank) return a.rank > b.rank;
  if (a.size != b.size) return a.size > b.size;
  return std::strlen(a.name) > std::strlen(b.name);
}

// The version of a library's interface that the linker adds: "pthread_cond_wait@@GLIBC_2.3.2". No symbol has an @ else.
const char* without_version(char* name) {
  char* const version = std::strchr(name, '@');
  if (version && version != name) *version = '\0';
  return name;
}

}  // namespace

SymbolTable::SymbolTable(ElfSymbols symbols, bool whole) : names_(std::move(symbols.names)) {
  functions_.reserve(symbols.symbols.size());
  for (const ElfSymbol& symbol : symbols.symbols) {
    functions_.push_back({symbol.start, symbol.size, &names_[symbol.name], symbol.rank, false});
  }
  std::sort(functions_.begin(), functions_.end(), is_before);
  const auto same_start = [](const Function& a, const Function& b) { return a.start == b.start; };
  functions_.erase(std::unique(functions_.begin(), functions_.end(), same_start), functions_.end());
  for (size_t i = 0; i < functions_.size(); i++) {
    if (functions_[i].size != 0) continue;
    const uint64_t next = i + 1 < functions_.size() ? functions_[i + 1].start : functions_[i].start + 1;
    functions_[i].size = whole ? std::min(next - functions_[i].start, kMaxUnsized) : 1;
  }
}

void SymbolTable::add_nameless(const std::vector<uint64_t>& starts) {
  const size_t named = functions_.size();
  size_t next = 0;
  uint64_t covered = 0;  // up to here a symbol says what it is
  std::vector<Function> nameless;
  for (size_t i = 0; i < starts.size(); i++) {
    for (; next < named && functions_[next].start <= starts[i]; next++)
      covered = std::max(covered, functions_[next].start + functions_[next].size);
    if (starts[i] < covered) continue;
    uint64_t end = i + 1 < starts.size() ? starts[i + 1] : starts[i] + kMaxUnsized;
    if (next < named) end = std::min(end, functions_[next].start);
    nameless.push_back({.start = starts[i], .size = end - starts[i]});
  }
  functions_.insert(functions_.end(), nameless.begin(), nameless.end());
  std::inplace_merge(functions_.begin(), functions_.begin() + static_cast<ptrdiff_t>(named), functions_.end(),
                     [](const Function& a, const Function& b) { return a.start < b.start; });
}

const char* SymbolTable::readable(char* symbol) {
  const char* const name = without_version(symbol);
  if (std::strncmp(name, "_Z", 2) != 0) return name;
  int status = 0;
  std::unique_ptr<char, Free> text(abi::__cxa_demangle(name, nullptr, nullptr, &status));
  if (status != 0 || !text) return name;
  readable_.push_back(std::move(text));
  return readable_.back().get();
}

const SymbolTable::Function* SymbolTable::find(uint64_t address) {
  auto after = std::upper_bound(functions_.begin(), functions_.end(), address,
                                [](uint64_t value, const Function& function) { return value < function.start; });
  for (int i = 0; i < kMaxEnclosed && after != functions_.begin(); i++) {
    Function& function = *--after;
    if (address - function.start >= function.size) continue;
    if (function.name && !function.demangled) {
      function.name = readable(&names_[static_cast<size_t>(function.name - names_.data())]);
      function.demangled = true;
    }
    return &function;
  }
  return nullptr;
}

}  // namespace oriel::symbols
