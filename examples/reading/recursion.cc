// How often each method was on a sampled stack at once, at most: the deepest recursions that a log has seen.
// Use it: recursion run.oriel
#include <algorithm>
#include <cstdio>
#include <map>
#include <oriel/log.hpp>
#include <string>
#include <unordered_map>
#include <vector>

using oriel::reader::Sink;

struct Recursion : Sink {
  struct Node {
    uint64_t parent = 0, method = 0;
  };

  void on_record(const oriel_log_record& record) override {
    if (record.description == kClass) classes[oriel_log_number(&record, "id")] = oriel_log_text(&record, "name");
    if (record.description == kMethod)
      methods[oriel_log_number(&record, "id")] =
          classes[oriel_log_number(&record, "class")] + "." + oriel_log_text(&record, "name");
  }
  void on_stack_node(const oriel_log_stack_node& node) override {
    nodes[node.id] = {node.parent, node.native != 0 ? 0 : node.frame};
  }
  // A parent's number is less than its child's, so that the way to the root ends.
  void on_sample(const oriel_log_sample& sample) override {
    std::map<uint64_t, int> on_stack;
    for (auto at = nodes.find(sample.node); at != nodes.end(); at = nodes.find(at->second.parent)) {
      if (at->second.method == 0) continue;
      int& most = deepest[at->second.method];
      most = std::max(most, ++on_stack[at->second.method]);
    }
  }

  const oriel_log_description* const kClass = oriel_log_describe_record("class");
  const oriel_log_description* const kMethod = oriel_log_describe_record("method");
  std::unordered_map<uint64_t, std::string> classes, methods;
  std::unordered_map<uint64_t, Node> nodes;
  std::unordered_map<uint64_t, int> deepest;
};

int main(int, char** argv) try {
  Recursion recursion;
  oriel::reader::decode_file(argv[1] != nullptr ? argv[1] : "", recursion);
  std::multimap<int, std::string> by_depth;
  for (const auto& [method, times] : recursion.deepest)
    if (times > 1) by_depth.emplace(-times, recursion.methods[method]);
  for (const auto& [times, name] : by_depth) std::printf("%d %s\n", -times, name.c_str());
} catch (const oriel::reader::Error& error) {
  return std::fprintf(stderr, "recursion: %s\n", error.what()), 1;
}
