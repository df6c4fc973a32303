#include "report/words/table.h"

#include <algorithm>

#include "report/words/text.h"

namespace oriel::report {
namespace {

constexpr size_t kGap = 2;
constexpr size_t kLeastLast = 12;

std::string aligned(Table::Align align, const std::string& text, size_t width) {
  return align == Table::Align::kRight ? pad_left(text, width) : pad_right(text, width);
}

}  // namespace

void Table::add(std::vector<std::string> cells, Fit last, double share) {
  cells.resize(columns_.size());
  rows_.push_back({std::move(cells), std::move(last), share});
}

std::vector<size_t> Table::column_widths() const {
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns_.size(); ++i) {
    size_t width = display_width(columns_[i].title);
    for (const Row& row : rows_) width = std::max(width, display_width(row.cells[i]));
    widths.push_back(width);
  }
  return widths;
}

void Table::write(std::ostream& out, size_t width, size_t indent, const Style& style) const {
  const std::vector<size_t> widths = column_widths();
  size_t taken = indent;
  for (const size_t column : widths) taken += column + kGap;
  const size_t room = std::max(kLeastLast, width > taken ? width - taken : 0);
  const std::string left(indent, ' ');
  const std::string gap(kGap, ' ');

  std::string header = left;
  for (size_t i = 0; i < columns_.size(); ++i) header += aligned(columns_[i].align, columns_[i].title, widths[i]) + gap;
  header += cut_end(last_, room);
  header.resize(header.find_last_not_of(' ') + 1);
  out << style.dim(header) << '\n';
  for (const Row& row : rows_) {
    std::string line = left;
    for (size_t i = 0; i < columns_.size(); ++i) {
      const std::string cell = aligned(columns_[i].align, row.cells[i], widths[i]);
      line += (i == 0 ? style.heat(row.share, cell) : cell) + gap;
    }
    const std::string last = row.last(room);
    size_t at = 0;
    do {
      const size_t end = std::min(last.find('\n', at), last.size());
      if (at != 0) line.assign(taken, ' ');
      line.append(last, at, end - at);
      line.resize(line.find_last_not_of(' ') + 1);
      out << line << '\n';
      at = end + 1;
    } while (at < last.size());
  }
}

}  // namespace oriel::report
