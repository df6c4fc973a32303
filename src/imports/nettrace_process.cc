#include "imports/nettrace_process.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "imports/managed_name.h"

namespace oriel::imports {
namespace {

// perf's name of the kernel, as text of `perf script` has it too.
constexpr std::string_view kKernelOfTrace = "vmlinux", kKernelOfPerf = "[kernel.kallsyms]";

}  // namespace

// Method's and module's ids, address (64 bits each), size, token, flags (32 each), type, name, signature.
void TraceProcess::take_method(TraceCursor in, uint64_t time, CodeEvent::What what) {
  const auto id = in.number<uint64_t>();
  TraceMethod method;
  method.module = in.number<uint64_t>();
  CodeEvent code{what, time, in.number<uint64_t>(), 0, 0};
  code.size = in.number<uint32_t>();
  in.skip(8);
  method.type = in.text();
  method.name = in.text();
  method.signature = in.text();
  if (in.failed() || methods_.size() >= UINT32_MAX) return;
  has_runtime = true;
  // Each tier of a method has code of its own, and tells the same name.
  const auto known = last_of_id_.find(id);
  const bool same = known != last_of_id_.end() && methods_[known->second].module == method.module &&
                    methods_[known->second].name == method.name && methods_[known->second].type == method.type &&
                    methods_[known->second].signature == method.signature;
  if (same) {
    code.method = known->second;
  } else {
    code.method = static_cast<uint32_t>(methods_.size());
    methods_.push_back(std::move(method));
    last_of_id_[id] = code.method;
  }
  code_.add(code);
}

// Module's and assembly's ids (64 bits each), flags, a reserved number (32 each), path of its IL.
void TraceProcess::take_module(TraceCursor in) {
  const auto id = in.number<uint64_t>();
  in.skip(16);
  std::string path = in.text();
  if (!in.failed()) modules_[id] = std::move(path);
}

// Its number where it runs, its name, its namespace.
void TraceProcess::take_name(TraceCursor in) {
  in.varint();
  std::string text = in.short_text();
  if (!in.failed() && name.empty()) name = std::move(text);
}

// The mapping's number, first and last address, offset in the file, path.
void TraceProcess::take_mapping(TraceCursor in) {
  const uint64_t id = in.varint(), first = in.varint(), last = in.varint();
  in.varint();
  std::string file = in.short_text();
  if (in.failed() || last < first) return;
  if (file == kKernelOfTrace) file = kKernelOfPerf;
  mapped_files_[id] = file;
  auto at = mappings_.lower_bound(first);
  if (at != mappings_.begin() && std::prev(at)->second.last >= first) --at;
  while (at != mappings_.end() && at->first <= last) at = mappings_.erase(at);
  mappings_[first] = {last, std::move(file)};
}

// The symbol's number, its mapping's, first and last address, name.
void TraceProcess::take_symbol(TraceCursor in, uint64_t time) {
  in.varint();
  const uint64_t mapping = in.varint(), first = in.varint(), last = in.varint();
  TraceMethod symbol;
  symbol.is_symbol = true;
  symbol.name = in.short_text();
  if (in.failed() || last < first || last - first >= UINT32_MAX || methods_.size() >= UINT32_MAX) return;
  if (const auto file = mapped_files_.find(mapping); file != mapped_files_.end()) symbol.file = file->second;
  has_runtime = has_runtime || is_code_map(symbol.file);
  const auto [known, is_new] =
      symbols_.try_emplace(symbol.name + '\n' + symbol.file, static_cast<uint32_t>(methods_.size()));
  if (is_new) methods_.push_back(std::move(symbol));
  code_.add({CodeEvent::What::kLoaded, time, first, static_cast<uint32_t>(last - first + 1), known->second});
}

TraceMethod& TraceProcess::method(uint32_t number, LogMaker& maker) {
  TraceMethod& method = methods_[number];
  if (method.frame.id != 0) return method;
  if (method.is_symbol) {
    method.frame = frame_of_symbol(method.name, method.file, maker);
    return method;
  }
  const ManagedName told = managed_name(method.type, method.name, method.signature);
  method.frame = {log::FrameKind::kManaged, imports::method_id(told, module_path(method.module), maker)};
  method.only_waits = imports::only_waits(told);
  method.stops_for_samples = imports::stops_for_samples(told);
  return method;
}

uint64_t TraceProcess::method_id(uint64_t runtime_id, LogMaker& maker) {
  const auto known = last_of_id_.find(runtime_id);
  return known == last_of_id_.end() ? 0 : method(known->second, maker).frame.id;
}

std::string TraceProcess::module_path(uint64_t module) const {
  const auto known = modules_.find(module);
  return known == modules_.end() ? "" : known->second;
}

std::string TraceProcess::file_at(uint64_t address) const {
  auto after = mappings_.upper_bound(address);
  if (after == mappings_.begin()) return "";
  --after;
  return address <= after->second.last ? after->second.file : "";
}

}  // namespace oriel::imports
