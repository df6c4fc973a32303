#include "query/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "report/words/csv.h"
#include "report/words/json_text.h"
#include "report/words/text.h"

namespace oriel::query {
namespace {

using Type = Cell::Type;

Status state_of(const std::ostream& out) {
  return out ? Status::ok() : Status::error("the answer cannot be written; is the disk full?");
}

std::string hex(std::string_view bytes) {
  std::string text = "x'";
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<uint8_t>(byte));
  return text + '\'';
}

// "" of null.
std::string text_of(const Cell& cell) {
  switch (cell.type) {
    case Type::kNull:
      return "";
    case Type::kInteger:
      return fmt::format("{}", cell.integer);
    case Type::kReal:
      return fmt::format("{}", cell.real);
    case Type::kText:
      return report::clean(cell.text);
    case Type::kBlob:
      return hex(cell.text);
  }
  return "";
}

bool is_number(const Cell& cell) { return cell.type == Type::kInteger || cell.type == Type::kReal; }

class TableAnswers : public Answers {
 public:
  TableAnswers(std::ostream& out, size_t width) : out_(out), width_(width) {}

  Status begin(const std::vector<std::string>& columns) override {
    if (is_later_) out_ << '\n';
    is_later_ = true;
    columns_.clear();
    for (const std::string& name : columns) columns_.push_back({report::clean(name), false, false, 0});
    rows_.clear();
    has_widths_ = false;
    return Status::ok();
  }

  Status row(std::span<const Cell> cells) override {
    std::vector<std::string> texts;
    for (size_t i = 0; i < cells.size(); ++i) {
      columns_[i].has_number = columns_[i].has_number || is_number(cells[i]);
      columns_[i].has_text = columns_[i].has_text || (cells[i].type != Type::kNull && !is_number(cells[i]));
      texts.push_back(text_of(cells[i]));
    }
    if (has_widths_) {
      write(texts);
      return state_of(out_);
    }
    rows_.push_back(std::move(texts));
    if (rows_.size() == kFitted) write_rows();
    return state_of(out_);
  }

  Status end() override {
    if (!has_widths_) write_rows();
    return state_of(out_.flush());
  }

 private:
  static constexpr size_t kFitted = 1000, kGap = 2, kLeast = 8;
  struct Column {
    std::string name;
    bool has_number, has_text;
    size_t width;
  };

  void write_rows() {
    fit();
    has_widths_ = true;
    std::vector<std::string> names;
    for (const Column& column : columns_) names.push_back(column.name);
    write(names);
    for (const std::vector<std::string>& texts : std::exchange(rows_, {})) write(texts);
  }

  static size_t least_of(const Column& column) { return std::max(kLeast, report::display_width(column.name)); }

  // What all need, and where that is more than there is, the widest are cut to one width. Numbers and names are never
  // cut.
  void fit() {
    size_t all = 0;
    for (size_t i = 0; i < columns_.size(); ++i) {
      columns_[i].width = report::display_width(columns_[i].name);
      for (const auto& texts : rows_) columns_[i].width = std::max(columns_[i].width, report::display_width(texts[i]));
      all += columns_[i].width + (i == 0 ? 0 : kGap);
    }
    while (all > width_) {
      Column* widest = nullptr;
      size_t second = kLeast;
      for (Column& column : columns_) {
        if ((column.has_number && !column.has_text) || column.width <= least_of(column)) continue;
        if (!widest || column.width > widest->width) {
          second = std::max(second, widest ? widest->width : 0);
          widest = &column;
        } else {
          second = std::max(second, column.width);
        }
      }
      if (!widest) return;
      const size_t least = std::max(second < widest->width ? second : widest->width - 1, least_of(*widest));
      const size_t cut = std::min(all - width_, widest->width - least);
      widest->width -= cut;
      all -= cut;
    }
  }

  void write(const std::vector<std::string>& texts) {
    std::string line;
    for (size_t i = 0; i < columns_.size(); ++i) {
      const Column& column = columns_[i];
      const bool is_right = column.has_number && !column.has_text;
      const bool is_cut = report::display_width(texts[i]) > column.width && !is_right && width_ != kNoWidth;
      const std::string text = is_cut ? report::cut_end(texts[i], column.width) : texts[i];
      line += (i == 0 ? "" : "  ") +
              (is_right ? report::pad_left(text, column.width) : report::pad_right(text, column.width));
    }
    line.resize(line.find_last_not_of(' ') + 1);
    out_ << line << '\n';
  }

  std::ostream& out_;
  const size_t width_;
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  // until there are widths
  bool has_widths_ = false, is_later_ = false;
};

class CsvAnswers : public Answers {
 public:
  explicit CsvAnswers(std::ostream& out) : out_(out) {}

  Status begin(const std::vector<std::string>& columns) override {
    std::vector<std::string> names;
    for (const std::string& name : columns) names.push_back(report::csv_text(name));
    out_ << fmt::format("{}\n", fmt::join(names, ","));
    return state_of(out_);
  }
  Status row(std::span<const Cell> cells) override {
    std::string line;
    for (size_t i = 0; i < cells.size(); ++i)
      line += (i == 0 ? "" : ",") + report::csv_text(cells[i].type == Type::kText ? cells[i].text : text_of(cells[i]));
    out_ << line << '\n';
    return state_of(out_);
  }
  Status end() override { return state_of(out_.flush()); }

 private:
  std::ostream& out_;
};

class JsonAnswers : public Answers {
 public:
  explicit JsonAnswers(std::ostream& out) : out_(out) {}

  Status begin(const std::vector<std::string>& columns) override {
    names_.clear();
    for (const std::string& name : columns) names_.push_back(quoted(name));
    out_ << '[';
    is_first_ = true;
    return state_of(out_);
  }
  Status row(std::span<const Cell> cells) override {
    std::string line = std::exchange(is_first_, false) ? "\n{" : ",\n{";
    for (size_t i = 0; i < cells.size(); ++i) line += (i == 0 ? "" : ",") + names_[i] + ':' + value_of(cells[i]);
    out_ << line << '}';
    return state_of(out_);
  }
  Status end() override {
    out_ << (is_first_ ? "]\n" : "\n]\n");
    return state_of(out_.flush());
  }

 private:
  static std::string quoted(std::string_view text) { return report::json_text(nlohmann::json(text)); }
  static std::string value_of(const Cell& cell) {
    if (cell.type == Type::kNull || (cell.type == Type::kReal && !std::isfinite(cell.real))) return "null";
    return is_number(cell) ? text_of(cell) : quoted(cell.type == Type::kText ? std::string(cell.text) : text_of(cell));
  }

  std::ostream& out_;
  std::vector<std::string> names_;
  bool is_first_ = true;
};

}  // namespace

std::unique_ptr<Answers> answers_to(std::ostream& out, Form form, size_t width) {
  if (form == Form::kCsv) return std::make_unique<CsvAnswers>(out);
  if (form == Form::kJson) return std::make_unique<JsonAnswers>(out);
  return std::make_unique<TableAnswers>(out, width);
}

}  // namespace oriel::query
