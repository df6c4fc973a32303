// Which frames of the page's trees say nothing of the program.
#include <algorithm>
#include <string_view>

#include "exports/page_tree.h"

namespace oriel::exports {
namespace {

// By group: whether it is code that the user profiles: own code, and that of the SDK, whose parts are programs
// themselves; if there is neither, packages.
std::vector<bool> meant_groups(const Groups& groups) {
  std::vector<bool> own, package;
  for (const auto& [key, name] : groups.all()) {
    const std::string_view category = key;
    own.push_back(category == "own" || (category == "framework" && name == "SDK"));
    package.push_back(category == "package");
  }
  return std::ranges::find(own, true) != own.end() ? own : package;
}

// Whether the C library starts a thread here.
bool starts_thread(const Frame& frame) {
  if (frame.kind != FrameKind::kNative) return false;
  for (const std::string_view library : {"libc", "libpthread", "ld-musl"})
    if (frame.module.starts_with(library) && frame.module.find_first_of(".-", library.size()) == library.size())
      return true;
  return false;
}

// A library without symbols is one frame, "[libcoreclr.so]", so calls within it say nothing.
bool is_unnamed(const Frame& frame) { return frame.kind != FrameKind::kManaged && frame.name.starts_with('['); }

// As whole numbers, of which there may be more than a double is exact for.
bool is_nearly_all(uint64_t part, uint64_t whole) {
  constexpr double kNearlyAll = 0.98;
  return static_cast<double>(part) >= kNearlyAll * static_cast<double>(whole);
}

}  // namespace

void mark_scaffolding(const FrameTable& frames, const Groups& groups, PageTree& tree) {
  const std::vector<bool> meant_groups = exports::meant_groups(groups);
  const auto frame_of = [&](size_t node) -> const Frame& { return frames.frames[tree.nodes[node].frame]; };
  const auto is_named = [&](size_t node) {
    return tree.nodes[node].frame != frames.no_stack && tree.nodes[node].frame != frames.truncated;
  };
  const size_t size = tree.nodes.size();
  std::vector<uint64_t> self(size), meant(size);
  for (const PageWeight& weight : tree.weights) self[weight.node] += weight.self;
  std::vector<uint64_t> total = self;
  std::vector<bool> is(size);
  for (size_t i = size; i-- > 1;) {
    if (meant_groups[tree.nodes[i].group] && frame_of(i).kind != FrameKind::kType)
      meant[i] = total[i];
    else
      is[i] = is_named(i) && meant[i] > 0 && is_nearly_all(meant[i], total[i]);
    total[tree.nodes[i].parent] += total[i];
    meant[tree.nodes[i].parent] += meant[i];
  }
  std::vector<uint32_t> shown(size, kNoPlace);  // the frame that stands there when scaffolding is hidden
  for (size_t i = 1; i < size; ++i) {
    const PageNode& node = tree.nodes[i];
    if ((node.parent == 0 || is[node.parent]) && starts_thread(frame_of(i)) &&
        is_nearly_all(total[i] - self[i], total[i]))
      is[i] = true;
    const bool hidden = is[i] || (is_named(i) && is_unnamed(frame_of(i)) && shown[node.parent] == node.frame);
    shown[i] = hidden ? shown[node.parent] : node.frame;
    tree.scaffolding[i] = hidden;
  }
}

}  // namespace oriel::exports
