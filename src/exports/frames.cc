#include "exports/frames.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "base/text/path.h"
#include "exports/text.h"
#include "log/properties.h"

namespace oriel::exports {
namespace {

// Prefixes of the file names of .NET's native code.
constexpr std::array<std::string_view, 9> kRuntimeFiles = {
    "libcoreclr", "libclrjit",   "libclrgc",        "libhostfxr", "libhostpolicy",
    "libnethost", "libmscordbi", "libmscordaccore", "libSystem.",
};

class FrameInterner {
 public:
  explicit FrameInterner(std::vector<Frame>& frames) : frames_(frames) {}

  uint32_t intern(Frame frame) {
    const auto next = static_cast<uint32_t>(frames_.size());
    const auto [at, is_new] = known_.try_emplace({frame.name, frame.module, frame.kind}, next);
    if (is_new) frames_.push_back(std::move(frame));
    return at->second;
  }

 private:
  std::vector<Frame>& frames_;
  std::map<std::tuple<std::string, std::string, FrameKind>, uint32_t> known_;
};

Frame frame_of(const profile::Function& function) {
  Frame frame;
  frame.name = clean_text(function.name);
  if (frame.name.empty()) frame.name = "[unknown]";
  frame.raw_name = clean_text(function.raw_name);
  if (frame.raw_name == frame.name) frame.raw_name.clear();
  frame.module = clean_text(function.module);
  frame.kind = kind_of(function);
  return frame;
}

}  // namespace

FrameKind kind_of(const profile::Function& function) {
  if (function.type) return FrameKind::kType;
  if (function.managed) return FrameKind::kManaged;
  const std::string file = file_name(function.module);
  const auto is_runtime = [&](std::string_view start) { return file.starts_with(start); };
  const bool runtime = file == "dotnet" || function.name.starts_with("[runtime in ") ||
                       std::any_of(kRuntimeFiles.begin(), kRuntimeFiles.end(), is_runtime);
  return runtime ? FrameKind::kRuntime : FrameKind::kNative;
}

FrameTable make_frames(const profile::Profile& profile) {
  FrameTable table;
  FrameInterner interner(table.frames);
  table.of_function.reserve(profile.functions.size());
  // Function 0 is the root, which is not a frame; a stack of only the root shows as no_stack.
  table.no_stack = interner.intern({profile::kUnreadStack, "", "", FrameKind::kNative});
  table.truncated = interner.intern({profile::kCallersNotKnown, "", "", FrameKind::kNative});
  for (size_t i = 0; i < profile.functions.size(); ++i)
    table.of_function.push_back(i == 0 ? table.no_stack : interner.intern(frame_of(profile.functions[i])));
  return table;
}

void add_files(const profile::Profile& profile, lines::Lines& lines, FrameTable& table) {
  for (const profile::Node& node : profile.nodes) {
    Frame& frame = table.frames[table.of_function[node.function]];
    if (node.position == 0 || !frame.file.empty()) continue;
    const lines::Extent method = lines.method_of(node.position);
    if (method.file == 0) continue;
    frame.file = clean_text(lines.file(method.file).path);
    frame.line = method.first;
  }
}

std::vector<Weight> sum_samples(const profile::Profile& profile) {
  std::vector<Weight> weights;
  weights.reserve(profile.samples.size());
  for (const profile::Sample& sample : profile.samples) weights.push_back({sample.thread, sample.node, sample.periods});
  std::sort(weights.begin(), weights.end(),
            [](const Weight& a, const Weight& b) { return std::tie(a.thread, a.node) < std::tie(b.thread, b.node); });
  size_t kept = 0;
  for (const Weight& weight : weights) {
    if (kept > 0 && weights[kept - 1].thread == weight.thread && weights[kept - 1].node == weight.node)
      weights[kept - 1].periods += weight.periods;
    else
      weights[kept++] = weight;
  }
  weights.resize(kept);
  return weights;
}

void stack_of(const profile::Profile& profile, const FrameTable& frames, uint32_t node, std::vector<uint32_t>& stack) {
  stack.clear();
  bool truncated = false;
  for (; node != 0; node = profile.nodes[node].parent) {
    stack.push_back(frames.of_function[profile.nodes[node].function]);
    truncated |= profile.nodes[node].truncated;
  }
  if (truncated) stack.push_back(frames.truncated);
  if (stack.empty()) stack.push_back(frames.no_stack);
  std::reverse(stack.begin(), stack.end());
}

uint64_t period_ns(const profile::Profile& profile) {
  if (profile.unit != profile::Unit::kPeriods) return profile.unit == profile::Unit::kNanoseconds ? 1 : 0;
  constexpr uint64_t kSecond = 1'000'000'000;
  return profile.sampling_hz == 0 ? 0 : (kSecond + profile.sampling_hz / 2) / profile.sampling_hz;
}

bool counts_cpu(const profile::Profile& profile) {
  return profile.unit == profile::Unit::kPeriods && profile.sampling_mode != "real" &&
         profile.sampling_mode != "weights";
}

std::vector<std::string> thread_labels(const profile::Profile& profile) {
  std::map<std::string, int> uses;
  for (const profile::Thread& thread : profile.threads) ++uses[thread.name];
  std::vector<std::string> labels;
  std::set<std::string> taken;
  for (size_t i = 0; i < profile.threads.size(); ++i) {
    const profile::Thread& thread = profile.threads[i];
    const std::string id = std::to_string(thread.os_id != 0 ? thread.os_id : thread.id);
    std::string label = clean_text(thread.name);
    if (label.empty())
      label = "Thread " + id;
    else if (uses[thread.name] > 1)
      label += " (" + id + ")";
    // The system reuses thread ids.
    if (!taken.insert(label).second) {
      label += " #" + std::to_string(i + 1);
      taken.insert(label);
    }
    labels.push_back(label);
  }
  return labels;
}

std::string property_of(const profile::Profile& profile, std::string_view name) {
  for (const auto& [key, value] : profile.intro.properties)
    if (key == name) return clean_text(value);
  return "";
}

std::string title_of(const profile::Profile& profile) {
  const std::string command = property_of(profile, log::property::kCommand);
  return command.empty() ? clean_text(profile.file) : command;
}

Status check_profile(const profile::Profile& profile) {
  const auto broken = [](const std::string& what) {
    return Status::error("the profile contradicts itself (" + what + "); please report this with the log file");
  };
  if (profile.functions.empty() || profile.nodes.empty()) {
    return profile.samples.empty() ? Status::ok() : broken("samples without stacks");
  }
  for (size_t i = 1; i < profile.nodes.size(); ++i) {
    if (profile.nodes[i].parent >= i) return broken("a stack node before its caller");
    if (profile.nodes[i].function >= profile.functions.size()) return broken("a stack node without a function");
  }
  if (profile.unit != profile::Unit::kPeriods && profile.node_counts.size() != profile.nodes.size())
    return broken("stack nodes without their counts");
  for (const profile::Sample& sample : profile.samples) {
    if (sample.node >= profile.nodes.size()) return broken("a sample without a stack");
    if (sample.thread >= profile.threads.size()) return broken("a sample without a thread");
  }
  return Status::ok();
}

}  // namespace oriel::exports
