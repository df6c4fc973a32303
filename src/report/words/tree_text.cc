#include "report/words/tree_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "report/words/function_name.h"
#include "report/words/json.h"
#include "report/words/notes.h"
#include "report/words/shown_line.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::CallNode;
using profile::CallTree;
using profile::Profile;

namespace {

constexpr size_t kLeastNameWidth = 50;

// Joins names; repeats a class only if it differs from the one before.
std::string join_names(std::span<const BriefName> names, const std::string& arrow) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += arrow;
    const bool same = i > 0 && names[i].owner == names[i - 1].owner;
    text += (same ? "" : names[i].owner) + names[i].method;
  }
  return text;
}

// Only methods, except for the last name.
std::vector<BriefName> without_owners(std::vector<BriefName> names) {
  for (size_t i = 0; i + 1 < names.size(); ++i) names[i].owner.clear();
  return names;
}

// The total of a weighed profile, with its unit.
std::string amount(uint64_t periods, const Profile& profile) {
  switch (profile.unit) {
    case profile::Unit::kNanoseconds:
      return duration(static_cast<int64_t>(periods));
    case profile::Unit::kBytes:
    case profile::Unit::kBytesAlive:
      return bytes(periods);
    case profile::Unit::kPeriods:
    case profile::Unit::kObjects:
      break;
  }
  return count(periods);
}

const char* count_name(const Profile& profile) {
  if (profile.unit == profile::Unit::kNanoseconds) return "calls";
  return counts_bytes(profile.unit) ? "objects" : "bytes";
}

class Writer {
 public:
  Writer(const CallTree& tree, const TreeText& text, const Profile& profile, const Options& options, std::ostream& out)
      : tree_(tree),
        text_(text),
        profile_(profile),
        options_(options),
        style_(options.color),
        out_(out),
        lines_(profile, options) {
    if (profile.unit != profile::Unit::kPeriods) measure_figures();
    measure_levels();
  }

  void write();

 private:
  struct Line {
    uint32_t node = 0;
    std::string guides;   // of the levels above
    bool last = false;    // the last of its siblings
    size_t level = 1;     // 1: a child of the root
    bool others = false;  // stands for the hidden children of `node`

    bool top() const { return level == 1; }
  };
  void push_children(uint32_t node, const std::string& guides, size_t level);
  std::vector<uint32_t> chain(uint32_t node) const;
  std::string name_of(const CallNode& node, size_t width);
  std::string label(const std::vector<uint32_t>& chain, size_t width);
  enum class Lines { kNone, kShown };
  std::vector<BriefName> chain_names(const std::vector<uint32_t>& chain, Lines lines);
  std::string arrow() const { return fmt::format(" {} ", text_.arrow); }
  size_t native_tail(const std::vector<uint32_t>& chain) const;
  std::string managed_label(const std::vector<BriefName>& names, size_t native, size_t width) const;
  std::string shorter_label(const std::vector<BriefName>& names, size_t width) const;
  void write_line(const Line& line);
  struct Figures {
    std::string total, amount, self, count, level;
    double share = 0;
  };
  void write_titles();
  void write_row(const Figures& figures, const std::string& guides, const std::string& label);
  std::string columns(const Figures& figures) const;
  std::string visible_guides(const std::string& guides);
  void measure_figures();
  void measure_levels();
  size_t guide_room() const;
  bool weighed() const { return amount_width_ > 0; }
  size_t columns_before() const {
    return 2 * kShareWidth + 4 + (weighed() ? amount_width_ + count_width_ + 4 : 0) +
           (has_levels_ ? kLevelWidth + 2 : 0);
  }

  static constexpr size_t kShareWidth = 7;  // "100.0 %"
  static constexpr size_t kLevelWidth = 5;  // "level"
  const CallTree& tree_;
  const TreeText& text_;
  const Profile& profile_;
  const Options& options_;
  Style style_;
  std::ostream& out_;
  size_t amount_width_ = 0;  // 0: only shares
  size_t count_width_ = 0;
  bool has_levels_ = false;  // guides are too long
  bool cut_ = false;         // some guides were cut
  NodeLines lines_;
  std::vector<Line> stack_;  // the next line is on top
};

void Writer::push_children(uint32_t node, const std::string& guides, size_t level) {
  const CallNode& parent = tree_.nodes[node];
  // Hidden children get a line if their total reaches the threshold of a single node, and siblings are shown.
  const bool others = parent.hidden_children > 0 && parent.hidden_total >= std::max<uint64_t>(text_.least, 1) &&
                      (level == 1 || !parent.children.empty());
  if (others) stack_.push_back({node, guides, true, level, true});
  for (size_t i = parent.children.size(); i-- > 0;) {
    const bool last = i + 1 == parent.children.size() && !others;
    stack_.push_back({parent.children[i], guides, last, level, false});
  }
}

// Nodes from `node` on, while each passes its total to one child, except for a part too small to be shown.
std::vector<uint32_t> Writer::chain(uint32_t node) const {
  std::vector<uint32_t> nodes = {node};
  for (;;) {
    const CallNode& end = tree_.nodes[nodes.back()];
    if (end.children.size() != 1) break;
    const uint64_t kept_back = end.total - tree_.nodes[end.children[0]].total;
    if (kept_back > 0 && kept_back * 2 >= text_.least) break;
    if (tree_.nodes[end.children[0]].count != end.count) break;
    nodes.push_back(end.children[0]);
  }
  return nodes;
}

// One name per function of a chain; "name ×3" for recursion, or for repeated frames in a library without symbols.
std::vector<BriefName> Writer::chain_names(const std::vector<uint32_t>& chain, Lines lines) {
  std::vector<BriefName> names;
  for (size_t first = 0, last = 0; first < chain.size(); first = last) {
    const CallNode& node = tree_.nodes[chain[first]];
    while (last < chain.size() && tree_.nodes[chain[last]].function == node.function) ++last;
    names.push_back(node.broken ? BriefName{"", profile::kCallersNotKnown}
                                : brief_name(profile_.functions[node.function]));
    if (last - first > 1) names.back().method += fmt::format(" ×{}", last - first);
    if (const auto line = lines == Lines::kShown ? lines_.of(node) : std::nullopt)
      names.back().method += fmt::format(" ({})", line->text);
  }
  return names;
}

std::string Writer::name_of(const CallNode& node, size_t width) {
  if (node.broken) return profile::kCallersNotKnown;
  const std::optional<ShownLine> line = lines_.of(node);
  return fit_at_line(profile_.functions[node.function], line ? line->text : "", width);
}

std::string Writer::label(const std::vector<uint32_t>& chain, size_t width) {
  const CallNode& first = tree_.nodes[chain[0]];
  if (chain.size() == 1) return name_of(first, width);
  const std::vector<BriefName> names = chain_names(chain, Lines::kNone);
  if (names.size() == 1) {
    const std::string times = fmt::format(" ×{}", chain.size());
    return fit_function(profile_.functions[first.function], width - display_width(times)) + times;
  }
  if (std::string text = join_names(chain_names(chain, Lines::kShown), arrow()); display_width(text) <= width)
    return text;
  if (std::string text = join_names(names, arrow()); display_width(text) <= width) return text;
  if (std::string text = managed_label(names, native_tail(chain), width); !text.empty()) return text;
  if (std::string text = join_names(without_owners(names), arrow()); display_width(text) <= width) return text;
  return shorter_label(names, width);
}

// Number of native names at the end of a chain.
size_t Writer::native_tail(const std::vector<uint32_t>& chain) const {
  size_t names = 0;
  for (size_t i = chain.size(); i-- > 0;) {
    const CallNode& node = tree_.nodes[chain[i]];
    if (node.broken || profile_.functions[node.function].managed) break;
    if (i + 1 == chain.size() || tree_.nodes[chain[i + 1]].function != node.function) ++names;
  }
  return names;
}

// All managed functions, if they fit; native code below them, such as the internals of a wait, is abbreviated.
std::string Writer::managed_label(const std::vector<BriefName>& names, size_t native, size_t width) const {
  if (native < 2 || native == names.size()) return "";
  const std::span<const BriefName> all = names;
  const size_t managed = names.size() - native;
  const std::string head = join_names(all.first(managed), arrow());
  std::string text =
      fmt::format("{}{}… {} more …{}{}", head, arrow(), native - 1, arrow(), join_names(all.last(1), arrow()));
  if (display_width(text) > width) text = fmt::format("{}{}… {} more", head, arrow(), native);
  return display_width(text) > width ? "" : text;
}

// The first function, the number of omitted ones, and as many of the last as fit; or without the first.
std::string Writer::shorter_label(const std::vector<BriefName>& names, size_t width) const {
  const std::span<const BriefName> all = names;
  const auto joined = [&](size_t first, size_t last) {
    const std::string head = first == 0 ? "" : join_names(all.first(first), arrow()) + arrow();
    return fmt::format("{}… {} more …{}{}", head, last - first, arrow(), join_names(all.subspan(last), arrow()));
  };
  for (size_t last = 2; last < names.size(); ++last)
    if (std::string text = joined(1, last); display_width(text) <= width) return text;
  for (size_t last = 1; last < names.size(); ++last)
    if (std::string text = joined(0, last); display_width(text) <= width) return text;
  const std::string left_out = fmt::format("… {} more …{}", names.size() - 1, arrow());
  return left_out + cut_middle(names.back().owner + names.back().method, width - display_width(left_out));
}

// Columns for guides that leave enough room for names.
size_t Writer::guide_room() const {
  constexpr size_t kLeastGuides = 8;
  const size_t reserved = columns_before() + kLeastNameWidth;
  return std::max(options_.width > reserved ? (options_.width - reserved) / 2 * 2 : 0, kLeastGuides);
}

void Writer::measure_levels() {
  std::vector<std::pair<uint32_t, size_t>> open = {{0, 0}};  // with levels
  size_t deepest = 0;
  while (!open.empty()) {
    const auto [node, level] = open.back();
    open.pop_back();
    deepest = std::max(deepest, level);
    const uint32_t end = node == 0 ? 0 : chain(node).back();
    for (const uint32_t child : tree_.nodes[end].children) open.push_back({child, level + 1});
  }
  has_levels_ = 2 * deepest > guide_room() + 2;
}

// Only the end of guides that do not fit; the level column gives the depth.
std::string Writer::visible_guides(const std::string& guides) {
  if (!has_levels_ || display_width(guides) <= guide_room()) return guides;
  cut_ = true;
  return cut_start(guides, guide_room());
}

void Writer::measure_figures() {
  count_width_ = display_width(count_name(profile_));
  for (size_t i = 1; i < tree_.nodes.size(); ++i) {
    amount_width_ = std::max(amount_width_, display_width(amount(tree_.nodes[i].total, profile_)));
    count_width_ = std::max(count_width_, display_width(count(tree_.nodes[i].count)));
  }
  amount_width_ = std::max<size_t>(amount_width_, 1);
}

// "total  amount  self  count"; amount and count only for weighed profiles.
std::string Writer::columns(const Figures& figures) const {
  std::string text = style_.heat(figures.share, pad_left(figures.total, kShareWidth)) + "  ";
  if (weighed()) text += pad_left(figures.amount, amount_width_) + "  ";
  text += pad_left(figures.self, kShareWidth) + "  ";
  if (weighed()) text += pad_left(figures.count, count_width_) + "  ";
  if (has_levels_) text += pad_left(figures.level, kLevelWidth) + "  ";
  return text;
}

void Writer::write_titles() {
  std::string text = columns({text_.total, "", text_.self, count_name(profile_), "level"});
  text.resize(text.find_last_not_of(' ') + 1);
  out_ << style_.dim(text) << '\n';
}

void Writer::write_row(const Figures& figures, const std::string& guides, const std::string& label) {
  out_ << columns(figures) << style_.dim(guides) << label << '\n';
}

void Writer::write_line(const Line& line) {
  const std::string guides = visible_guides(line.guides + (line.top() ? "" : line.last ? "└ " : "├ "));
  const CallNode& node = tree_.nodes[line.node];
  if (line.others) {
    const std::string what = fmt::format("{}, each below {}", counted(node.hidden_children, "other", "others"),
                                         fmt::format("{:.3g} %", options_.min_share * 100));
    const std::string hidden = weighed() ? amount(node.hidden_total, profile_) : "";
    write_row({percent(node.hidden_total, text_.whole), hidden, "", "", std::to_string(line.level)}, guides,
              style_.dim(what));
    return;
  }
  const std::vector<uint32_t> nodes = chain(line.node);
  uint64_t self = 0;
  for (const uint32_t link : nodes) self += tree_.nodes[link].self;
  const size_t room = options_.width - columns_before() - display_width(guides);
  Figures figures;
  figures.total = percent(node.total, text_.whole);
  figures.level = std::to_string(line.level);
  if (worth_telling(self, text_.whole)) figures.self = percent(self, text_.whole);
  if (weighed()) figures.amount = amount(node.total, profile_);
  if (weighed()) figures.count = count(node.count);
  figures.share = share(node.total, text_.whole);
  write_row(figures, guides, label(nodes, room));
  push_children(nodes.back(), line.guides + (line.top() ? "" : line.last ? "  " : "│ "), line.level + 1);
}

void Writer::write() {
  write_titles();
  push_children(0, "", 1);
  size_t lines = 0;
  while (!stack_.empty()) {
    if (text_.limit != 0 && lines++ == text_.limit) {
      write_note("More lines follow; a higher --limit shows them.", options_, out_);
      break;
    }
    const Line line = std::move(stack_.back());
    stack_.pop_back();
    write_line(line);
  }
  if (cut_) write_note("…: omitted guide lines of outer callers; level is the depth of a line.", options_, out_);
}

Json row_json(const CallTree& tree, uint32_t index, const Profile& profile, NodeLines& lines) {
  const CallNode& node = tree.nodes[index];
  Json json = {{"self", node.self}, {"total", node.total}};
  if (profile.unit != profile::Unit::kPeriods) json[count_name(profile)] = node.count;
  if (node.broken) {
    json["name"] = profile::kCallersNotKnown;
  } else {
    add_function(json, profile.functions[node.function]);
  }
  if (const std::optional<ShownLine> line = lines.of(node)) {
    json["file"] = line->path;
    json["line"] = line->line;
  }
  if (node.hidden_children > 0) json["hidden"] = {{"children", node.hidden_children}, {"total", node.hidden_total}};
  return json;
}

}  // namespace

void write_tree_text(const CallTree& tree, const TreeText& text, const Profile& profile, const Options& options,
                     std::ostream& out) {
  Writer(tree, text, profile, options, out).write();
}

Json tree_rows_json(const CallTree& tree, const Profile& profile, const Options& options) {
  NodeLines lines(profile, options);
  struct Place {
    uint32_t node = 0;
    size_t parent = 0;  // id of its row
    size_t depth = 0;
  };
  Json rows = Json::array();
  std::vector<Place> open = {{}};
  while (!open.empty()) {
    const Place place = open.back();
    open.pop_back();
    const size_t id = place.node == 0 ? 0 : rows.size() + 1;
    if (place.node != 0) {
      Json row = {{"id", id}, {"parent", place.parent}, {"depth", place.depth}};
      row.update(row_json(tree, place.node, profile, lines));
      rows.push_back(std::move(row));
    }
    const std::vector<uint32_t>& children = tree.nodes[place.node].children;
    for (size_t i = children.size(); i-- > 0;) open.push_back({children[i], id, place.depth + 1});
  }
  return rows;
}

}  // namespace oriel::report
