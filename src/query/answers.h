// Answers as people and programs read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>

#include "query/database.h"

namespace oriel::query {

inline constexpr size_t kNoWidth = SIZE_MAX;

enum class Form : uint8_t { kTable, kCsv, kJson };

// An aligned table of lines that fit `width`, whose widths follow the first thousand rows: texts are cut for that,
// names of columns and numbers are not, and with kNoWidth nothing is; CSV (RFC 4180) with the names in its first line;
// or a JSON array of objects. Names and texts never control a terminal.
std::unique_ptr<Answers> answers_to(std::ostream& out, Form form, size_t width);

}  // namespace oriel::query
