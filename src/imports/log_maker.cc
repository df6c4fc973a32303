#include "imports/log_maker.h"

#include <algorithm>

#include "base/text/path.h"
#include "base/text/utf8.h"
#include "base/version.h"
#include "log/properties.h"
#include "oriel/oriel.h"

namespace oriel::imports {
namespace {

std::string valid(std::string text) {
  make_valid_utf8(text);
  std::erase(text, '\0');  // a STRING of the log ends there
  return text;
}

}  // namespace

uint64_t LogMaker::image(const std::string& path) {
  const auto [known, made] = images_.try_emplace(path, images_.size() + 1);
  if (made) {
    const std::string name = valid(path);
    names_.images.push_back({known->second, file_name(name), name, file_name(name)});
  }
  return known->second;
}

uint64_t LogMaker::klass(const std::string& name, uint64_t image) {
  const auto [known, made] = classes_.try_emplace({image, name}, classes_.size() + 1);
  if (made) names_.classes.push_back({known->second, 0, image, valid(name)});
  return known->second;
}

uint64_t LogMaker::method(uint64_t klass, const std::string& name, const std::string& raw_name) {
  const auto [known, made] = methods_.try_emplace({klass, name}, methods_.size() + 1);
  if (made) names_.methods.push_back({known->second, klass, valid(name), valid(raw_name)});
  return known->second;
}

uint64_t LogMaker::native(const std::string& name, const std::string& library) {
  uint64_t of = 0;
  if (!library.empty()) {
    const auto [known, made] = libraries_.try_emplace(library, libraries_.size() + 1);
    if (made) names_.libraries.push_back({known->second, valid(library)});
    of = known->second;
  }
  const auto [known, made] = natives_.try_emplace({of, name}, natives_.size() + 1);
  if (made) names_.natives.push_back({known->second, of, valid(name)});
  return known->second;
}

uint64_t LogMaker::thread(uint64_t os_id, const std::string& name, bool managed) {
  const auto [known, made] = thread_ids_.try_emplace({os_id, name}, thread_ids_.size() + 1);
  if (made) {
    names_.threads.push_back({known->second, os_id, managed, valid(name)});
    threads_.emplace_back();
  }
  return known->second;
}

void LogMaker::origin(uint64_t image, log::Origin origin, const std::string& name) {
  if (has_origin_.insert(image).second) names_.origins.push_back({image, origin, valid(name)});
}

uint64_t LogMaker::node(uint64_t parent, log::FrameKind kind, uint64_t frame, bool truncated) {
  const uint64_t bits = (kind == log::FrameKind::kNative ? 1u : 0u) | (truncated ? 2u : 0u);
  return uint64_t{nodes_.find_or_add({parent, frame << 2 | bits})} + 1;
}

void LogMaker::seen_until(uint64_t ns) { end_ns_ = std::max(end_ns_, ns); }

void LogMaker::sample(uint64_t thread, uint64_t ns, uint64_t node, uint64_t periods) {
  ++samples_;
  seen_until(ns);
  threads_[thread - 1].samples.push_back({ns, node, periods});
}

LogMaker::Event LogMaker::event(uint64_t thread, uint64_t ns, uint32_t number, uint64_t stack) {
  ++events_;
  seen_until(ns);
  threads_[thread - 1].events.push_back({ns, number, 0, fields_.size(), stack});
  return {*this, thread};
}

void LogMaker::thread_until(uint64_t thread, uint64_t ns) {
  event(thread, ns, oriel_event_thread_stopped).add(thread);
  --events_;  // it is none of the file's
}

void LogMaker::Event::keep(const uint8_t* bytes, const uint8_t* end) {
  maker_.fields_.insert(maker_.fields_.end(), bytes, end);
  maker_.threads_[thread_ - 1].events.back().size += static_cast<uint32_t>(end - bytes);
}

LogMaker::Event& LogMaker::Event::add(uint64_t value) {
  uint8_t bytes[log::kMaxFieldBytes];
  keep(bytes, log::encode_field(bytes, value));
  return *this;
}

LogMaker::Event& LogMaker::Event::add(const std::string& text) {
  uint8_t bytes[log::kMaxFieldBytes];
  keep(bytes, log::encode_field(bytes, valid(text).c_str()));
  return *this;
}

void LogMaker::call_graph(log::CallGraph graph) {
  for (const log::CallNode& node : graph.nodes) calls_ += node.calls;
  call_graphs_.push_back(std::move(graph));
}

void LogMaker::leave_out(const std::string& one, const std::string& many, uint64_t count) {
  if (count == 0) return;
  const auto known = std::ranges::find(left_out_, many, &LeftOut::many);
  if (known != left_out_.end())
    known->count += count;
  else
    left_out_.push_back({one, many, count});
}

std::string LogMaker::left_out() const {
  std::string text;
  for (const LeftOut& what : left_out_)
    text += (text.empty() ? "" : ", ") + std::to_string(what.count) + " " + (what.count == 1 ? what.one : what.many);
  return text;
}

void LogMaker::write_names(log::Writer& writer) const {
  log::Mapping names = names_;
  names.start = names.end = clock_at(0);
  writer.mapping(names);
}

void LogMaker::write_nodes(log::Writer& writer) const {
  std::vector<log::StackNode> nodes;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const NodeKey& key = nodes_[i];
    const auto kind = (key.frame & 1) != 0 ? log::FrameKind::kNative : log::FrameKind::kManaged;
    nodes.push_back({uint64_t{i} + 1, key.parent, kind, key.frame >> 2, (key.frame & 2) != 0, log::kNoIl});
  }
  if (!nodes.empty()) writer.stacks(nodes);
}

Status LogMaker::write_thread(uint64_t thread, OfThread& of_thread, log::Writer& writer) const {
  constexpr size_t kAtOnce = 1 << 16;  // blocks of a bounded size
  std::ranges::stable_sort(of_thread.samples, {}, &log::Sample::counter);
  std::ranges::stable_sort(of_thread.events, {}, &Told::ns);
  const std::span<const log::Sample> samples = of_thread.samples;
  for (size_t at = 0; at < samples.size(); at += kAtOnce) {
    writer.samples(thread, samples.subspan(at, std::min(kAtOnce, samples.size() - at)));
    if (Status status = writer.flush({}); !status) return status;
  }
  std::vector<log::RawEvent> events;
  for (size_t at = 0; at < of_thread.events.size(); at += kAtOnce) {
    events.clear();
    for (size_t i = at; i < std::min(at + kAtOnce, of_thread.events.size()); ++i) {
      const Told& told = of_thread.events[i];
      events.push_back({told.ns, told.number, {fields_.data() + told.at, told.size}, told.stack});
    }
    writer.events(thread, events, clock_at(events.front().counter));
    if (Status status = writer.flush({}); !status) return status;
  }
  return Status::ok();
}

Status LogMaker::write_calls(uint64_t end, log::Writer& writer) {
  for (log::CallGraph& graph : call_graphs_) {
    graph.counter = end;
    writer.call_graph(graph);
    if (Status status = writer.flush({}); !status) return status;
  }
  if (!gc_parts_.parts.empty()) writer.gc_parts(gc_parts_);
  return Status::ok();
}

Status LogMaker::write(log::Writer& writer) {
  const uint64_t end = (end_ns_ + 999) / 1000 * 1000;  // so that both clocks of its pair go equally fast
  log::Intro intro;
  intro.runtime = runtime;
  intro.clock = clock_at(0);
  intro.properties.emplace_back(log::property::kOriel, version_text());
  intro.properties.emplace_back(log::property::kCounter, "monotonic-ns");
  for (const auto& [name, value] : properties) intro.properties.emplace_back(name, valid(value));
  if (const std::string text = left_out(); !text.empty())
    intro.properties.emplace_back(log::property::kImportedLeftOut, valid(text));
  if (!cut_.empty()) intro.properties.emplace_back(log::property::kImportedCut, cut_);
  writer.intro(intro);
  write_names(writer);
  write_nodes(writer);
  for (size_t i = 0; i < threads_.size(); ++i)
    if (Status status = write_thread(i + 1, threads_[i], writer); !status) return status;
  if (Status status = write_calls(end, writer); !status) return status;
  writer.end({log::kVersion2, clock_at(end)});
  return writer.flush(lost);
}

}  // namespace oriel::imports
