// Trees as text, for one-line expectations in tests.
#pragma once

#include <string>
#include <vector>

#include "log/format.h"
#include "modules/fake_engine.h"
#include "recorder.h"
#include "snapshot.h"
#include "thread_tree.h"

namespace oriel::callgraph_module {

constexpr uint32_t kThings = 1000;

// Methods 1 to kThings and as many classes for tests to point to. They are never freed, as trees of earlier tests'
// threads refer to them. The module's filter has selected all methods but the last.
inline void lay_out() {
  if (!fake::engine().methods.empty()) return;
  for (uint32_t id = 1; id <= kThings; ++id) fake::engine().classes.push_back({id, "Class" + std::to_string(id)});
  for (uint32_t id = 1; id <= kThings; ++id)
    fake::engine().methods.push_back({id, "M" + std::to_string(id) + "()", &fake::engine().classes[0]});
  for (uint32_t id = 1; id < kThings; ++id) chosen_methods().add(id);
  fake::engine().threads = {{1, 100, "main"}};
}
inline oriel_method* method(uint32_t id) { return &fake::engine().methods[id - 1]; }
inline oriel_class* klass(uint32_t id) { return &fake::engine().classes[id - 1]; }

// "1/2 x3" for a node of method 2 below one of method 1, called three times; "!n" of these by exception, "+n" folded,
// "~" while it runs, "{class: objects, bytes}".
inline std::string text_of(const log::CallGraph& graph, const log::CallNode& node) {
  std::string path = std::to_string(node.method);
  for (uint64_t at = node.parent; at != 0; at = graph.nodes[at - 1].parent)
    path = std::to_string(graph.nodes[at - 1].method) + "/" + path;
  std::string text = path + " x" + std::to_string(node.calls);
  if (node.exceptions != 0) text += " !" + std::to_string(node.exceptions);
  if (node.folded != 0) text += " +" + std::to_string(node.folded);
  if (node.running) text += " ~";
  for (const log::CallAllocation& it : node.allocations)
    text += " {" + std::to_string(it.klass) + ": " + std::to_string(it.objects) + ", " + std::to_string(it.bytes) + "}";
  return text;
}

inline std::vector<std::string> texts_of(const log::CallGraph& graph) {
  std::vector<std::string> texts;
  for (const log::CallNode& node : graph.nodes) texts.push_back(text_of(graph, node));
  return texts;
}
inline std::vector<std::string> texts_of(const ThreadTree& tree) { return texts_of(snapshot(tree, 1)); }

}  // namespace oriel::callgraph_module
