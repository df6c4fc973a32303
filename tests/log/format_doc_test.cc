// The tables of docs/FORMAT.md are the definition that the encoder and the decoder use. To write them anew:
// ORIEL_REGENERATE=1 test_log --gtest_filter='FormatDoc.*'
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <set>
#include <sstream>

#include "log/event_codes.h"
#include "log/layout.h"
#include "oriel/oriel.h"
#include "paths.h"

namespace oriel::log {
namespace {

// The codec that prints the fields that it visits as rows of a table.
class TableWriter {
 public:
  explicit TableWriter(uint64_t since) : since_(since) { out_ << "| field | is | since | what |\n|---|---|---|---|\n"; }
  std::string text() const { return out_.str(); }

  void byte(const char* name, uint8_t, const char* doc, FieldKind = FieldKind::kPlain) { row(name, "BYTE", doc); }
  void integer(const char* name, uint64_t, const char* doc, FieldKind = FieldKind::kPlain) { row(name, "INT", doc); }
  void fixed64(const char* name, uint64_t, const char* doc) { row(name, "8 bytes, little endian", doc); }
  void string(const char* name, const std::string&, const char* doc, FieldKind = FieldKind::kPlain) {
    row(name, "STRING", doc);
  }
  void record(const char* name, const ClockPair&, const char* doc) { row(name, "CLOCK", doc); }
  void stream(const char* name, const char* doc) { row(name, "event …", doc); }
  template <typename Visit>
  void since(uint64_t version, Visit visit) {
    const uint64_t before = std::exchange(since_, version);
    visit();
    since_ = before;
  }
  template <typename Visit>
  void when(bool, const char* condition, Visit visit) {
    condition_ = condition;
    visit();
    condition_.clear();
  }
  template <typename Visit>
  void added(Visit visit) {
    when(true, "if bytes are left", visit);
  }
  template <typename List>
  void list(const char* name, const List&, Ending ending, const char* doc, FieldKind = FieldKind::kPlain) {
    row(name, ending == Ending::kInt0 ? "list, ended by INT 0" : "list, ended by an empty STRING", doc);
    indent_ += "– ";
    typename List::value_type item{};
    fields(*this, item);
    indent_.resize(indent_.size() - std::string("– ").size());
  }

 private:
  void row(const char* name, const std::string& type, const char* doc) {
    out_ << "| " << indent_ << name << " | " << type << (condition_.empty() ? "" : ", " + condition_) << " | " << since_
         << " | " << doc << " |\n";
  }

  std::ostringstream out_;
  uint64_t since_;
  std::string indent_;
  std::string condition_;
};

// Calls `visit` with an empty record of the block's layout.
template <typename Visit>
void with_layout(Block code, Visit visit) {
  switch (code) {
#define ORIEL_BLOCK(code, symbol, name, since, Record, doc) \
  case Block::k##symbol:                                    \
    return visit(Record{});
#include "log/blocks.def"
  }
}

std::string block_tables() {
  std::ostringstream out;
  for (const BlockDescription& block : kBlocks) {
    out << "\n### " << static_cast<unsigned>(block.code) << " " << block.name << "\n\n"
        << "Since version " << block.since << ": " << block.doc << ".\n\n";
    if (block.code == Block::kUnloaded) {
      out << "As loaded.\n";
      continue;
    }
    with_layout(block.code, [&](auto record) {
      TableWriter table(block.since);
      fields(table, record);
      out << table.text();
    });
  }
  return out.str() + "\n";
}

const char* shape_text(EventShape shape) {
  switch (shape) {
    case EventShape::kNone:
      return "";
    case EventShape::kPackedId:
      return "INT id >> 5, INT delta";
    case EventShape::kAllocation:
      return "INT id >> 5, INT bytes (version 2: only if the class has size 0)";
    case EventShape::kValue:
      return "INT value, INT delta";
    case EventShape::kTop:
      return "INT delta";
    case EventShape::kExtended:
      return "INT number, INT delta, INT length, fields";
    case EventShape::kLeave:
      return "INT id, INT delta";
    case EventShape::kSite:
      return "INT id";
    case EventShape::kStack:
      return "INT node";
  }
  return "";
}

// The bits of a code byte from the highest, i where they are the id's lowest, f where 1 says failure, – where any.
std::string bits_text(const EventCode& code) {
  const bool id = code.shape == EventShape::kPackedId || code.shape == EventShape::kAllocation;
  std::string text;
  for (int bit = 7; bit >= 0; --bit) {
    const unsigned one = 1u << bit;
    text += code.mask & one ? (code.value & one ? "1" : "0") : id ? "i" : code.failure_bit & one ? "f" : "–";
  }
  return text;
}

std::string event_code_table_text() {
  std::ostringstream out;
  out << "\n| code byte | versions | event | what follows |\n|---|---|---|---|\n";
  for (const EventCode& code : kEventCodes) {
    out << "| `" << bits_text(code) << "` | " << code.since << (code.until == code.since ? "" : ", 2") << " | "
        << code.doc << " | " << shape_text(code.shape) << " |\n";
  }
  TableWriter head(2);
  ExtendedHead empty;
  fields(head, empty);
  out << "\nWhat stands between the code byte of an event of `events.def` and its fields:\n\n" << head.text() << "\n";
  return out.str();
}

#define ORIEL_DOC_A(kind, name) ", " #name " (" #kind ")" ORIEL_DOC_B
#define ORIEL_DOC_B(kind, name) ", " #name " (" #kind ")" ORIEL_DOC_A
#define ORIEL_DOC_A_END
#define ORIEL_DOC_B_END

std::string event_table() {
  std::ostringstream out;
  out << "\n| number | event | fields |\n|---|---|---|\n";
  const auto row = [&](int number, const char* name, std::string list) {
    out << "| " << number << " | " << name << " | " << (list.empty() ? "" : list.substr(2)) << " |\n";
  };
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  row(number, #name, "" ORIEL_SEQ(ORIEL_DOC, fields));
#include "oriel/events.def"
#undef ORIEL_EVENT
  out << "\n";
  return out.str();
}

std::string property_tables() {
  std::ostringstream out;
  out << "\n| property | is |\n|---|---|\n";
#define ORIEL_PROPERTY(symbol, name, doc) out << "| " << name << " | " << doc << " |\n";
#define ORIEL_COUNTER(symbol, name, doc)
#include "log/properties.def"
  out << "\n| counter | is |\n|---|---|\n";
#define ORIEL_PROPERTY(symbol, name, doc)
#define ORIEL_COUNTER(symbol, name, doc) out << "| " << name << " | " << doc << " |\n";
#include "log/properties.def"
  return out.str() + "\n";
}

std::string read_document() {
  std::ifstream in(test_paths::format_doc);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Replaces what stands between the marks of `name`; false if they are not there.
bool replace_generated(std::string& document, const std::string& name, const std::string& content) {
  const std::string begin = "<!-- generated: " + name + " -->\n";
  const std::string end = "<!-- end of " + name + " -->";
  const size_t from = document.find(begin);
  const size_t to = document.find(end);
  if (from == std::string::npos || to == std::string::npos || to < from) return false;
  document.replace(from + begin.size(), to - from - begin.size(), content);
  return true;
}

TEST(FormatDoc, TablesAreTheDefinition) {
  const std::string document = read_document();
  std::string expected = document;
  ASSERT_TRUE(replace_generated(expected, "blocks", block_tables()));
  ASSERT_TRUE(replace_generated(expected, "event codes", event_code_table_text()));
  ASSERT_TRUE(replace_generated(expected, "events", event_table()));
  ASSERT_TRUE(replace_generated(expected, "properties", property_tables()));
  if (std::getenv("ORIEL_REGENERATE") != nullptr) {
    std::ofstream(test_paths::format_doc) << expected;
    return;
  }
  EXPECT_EQ(document, expected) << "docs/FORMAT.md is behind src/log; see the top of this test";
}

TEST(FormatDoc, EveryBlockHasANameAndALayout) {
  std::set<std::string> names;
  for (unsigned code = 1; code <= static_cast<unsigned>(kLastBlock); ++code) {
    bool has_layout = false;
    with_layout(static_cast<Block>(code), [&](const auto&) { has_layout = true; });
    EXPECT_TRUE(has_layout) << code;
    EXPECT_STRNE(block_name(static_cast<Block>(code)), "unknown") << code;
    names.insert(block_name(static_cast<Block>(code)));
  }
  EXPECT_EQ(names.size(), std::size(kBlocks));
  EXPECT_STREQ(block_name(static_cast<Block>(999)), "unknown");
}

TEST(FormatDoc, EachEventCodeHasOneMeaning) {
  for (const uint64_t version : {kVersion1, kVersion2}) {
    for (unsigned byte = 1; byte < 256; ++byte) {
      int rows = 0;
      for (const EventCode& code : kEventCodes) {
        rows += version >= code.since && version <= code.until && (byte & code.mask) == code.value;
      }
      EXPECT_LE(rows, 1) << "code byte " << byte << " in version " << version;
    }
  }
}

}  // namespace
}  // namespace oriel::log
