// The tables that threads share in a profile of the Firefox Profiler: categories, stacks, frames, functions, files.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "exports/frames.h"
#include "exports/moments.h"
#include "exports/text.h"
#include "lines/lines.h"
#include "profile/work/category.h"

namespace oriel::exports {

// Each text once; the others refer to it.
class FirefoxStrings {
 public:
  uint32_t number(const std::string& text) {
    const auto [at, is_new] = known_.try_emplace(text, static_cast<uint32_t>(all_.size()));
    if (is_new) all_.push_back(&at->first);
    return at->second;
  }
  void write(BufferedText& out) const;

 private:
  std::unordered_map<std::string, uint32_t> known_;
  std::vector<const std::string*> all_;  // keys of known_, which stay where they are
};

class FirefoxCategories {
 public:
  // Categories of the purposes, with these as subcategories. The first category is the one of what is not known.
  explicit FirefoxCategories(const std::vector<profile::Share>& purposes);

  // Category and subcategory of a purpose, by its index.
  std::pair<uint32_t, uint32_t> of_purpose(uint32_t purpose) const { return of_purpose_[purpose]; }
  uint32_t of_moment(MomentKind kind) { return number(kind); }
  void write(BufferedText& out) const;

 private:
  struct Category {
    const char* name;
    const char* color;
    std::vector<std::string> parts = {"Other"};
  };
  uint32_t number(profile::Category category);
  uint32_t number(MomentKind kind);

  std::vector<Category> all_;
  std::map<std::string_view, uint32_t> numbers_;  // by name
  std::vector<std::pair<uint32_t, uint32_t>> of_purpose_;
};

// Rows of stacks, for the nodes that samples and events have, and for their callers.
class FirefoxTables {
 public:
  FirefoxTables(const profile::Profile& profile, const Moments& moments);

  // A sample's row has the sample's category, which may be another than its function's.
  uint32_t stack_of_sample(size_t index) const;
  uint32_t stack_of_node(uint32_t node) const { return stack_of_[node]; }

  FirefoxStrings& strings() { return strings_; }
  FirefoxCategories& categories() { return categories_; }
  // "shared" without its strings.
  void write(BufferedText& out) const;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;  // null in JSON
  struct Stack {
    uint32_t frame = 0;
    uint32_t prefix = kNone;
  };
  struct FrameRow {
    uint32_t function = 0;
    uint32_t purpose = 0;
    uint32_t line = 0;
  };
  struct Function {
    uint32_t name = 0;
    uint32_t resource = kNone;
    uint32_t source = kNone;
    uint32_t line = 0;
  };

  uint32_t prefix_of(uint32_t node);
  uint32_t add_stack(uint32_t frame, uint32_t prefix);
  uint32_t frame_row(uint32_t frame, uint32_t purpose, uint32_t line);
  uint32_t row_of(uint32_t node, uint32_t purpose);
  uint32_t function_of(uint32_t frame);

  const profile::Profile& profile_;
  FrameTable frames_table_;
  lines::Lines lines_;
  profile::Purposes purposes_;
  FirefoxStrings strings_;
  FirefoxCategories categories_;
  std::vector<Stack> stacks_;
  std::vector<FrameRow> frames_;
  std::vector<Function> functions_;
  std::vector<uint32_t> resources_, sources_;                       // names, as strings
  std::vector<uint32_t> stack_of_;                                  // by node
  uint32_t truncated_ = kNone;                                      // the stack of callers that are not known
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> other_stacks_;  // by node and purpose
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> frame_rows_;
  std::vector<uint32_t> function_of_;  // by frame of the table
  std::unordered_map<uint32_t, uint32_t> resource_of_, source_of_;
};

}  // namespace oriel::exports
