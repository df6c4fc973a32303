// frames(stack): the frames of a stack, from the innermost on.
#include "query/table_module.h"
#include "query/virtual_table.h"

namespace oriel::query {
namespace {

struct FramesTable : sqlite3_vtab {
  Asked* asked;
};
struct FramesCursor : sqlite3_vtab_cursor {
  Logs::Place at;
  int64_t depth = 0;
  int64_t of = 0;
};

enum FrameColumn { kDepth, kMethod, kModule, kOwn, kLine, kFrameStack, kOf };
constexpr const char* kDeclaration =
    "CREATE TABLE it(depth, method TEXT, module TEXT, own, line TEXT, stack, of_stack HIDDEN)";

constexpr const char* kTakesAStack = "frames() takes a stack: from samples s, frames(s.stack)";

FramesCursor& as_frames(sqlite3_vtab_cursor* cursor) { return *static_cast<FramesCursor*>(cursor); }

int connect_frames(sqlite3* database, void* asked, int, const char* const*, sqlite3_vtab** table, char**) {
  FramesTable its{};
  its.asked = static_cast<Asked*>(asked);
  return connect_as(its, kDeclaration, database, table);
}

int plan_frames(sqlite3_vtab* table, sqlite3_index_info* info) {
  constexpr double kFrames = 30;
  info->estimatedCost = kFrames;
  info->estimatedRows = static_cast<sqlite3_int64>(kFrames);
  bool is_asked = false;
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& condition = info->aConstraint[i];
    if (condition.iColumn != kOf || condition.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    is_asked = true;
    if (!condition.usable) continue;
    info->aConstraintUsage[i] = {1, 1};
    return SQLITE_OK;
  }
  if (is_asked) return SQLITE_CONSTRAINT;  // the stack comes from a table that is yet to be joined
  return fail(*table, kTakesAStack);
}

int begin_frames(sqlite3_vtab_cursor* cursor, int, const char*, int, sqlite3_value** values) {
  FramesCursor& its = as_frames(cursor);
  const int type = sqlite3_value_type(values[0]);
  if (type != SQLITE_INTEGER && type != SQLITE_NULL) return fail(*cursor->pVtab, kTakesAStack);
  its.of = sqlite3_value_int64(values[0]);
  its.at = static_cast<FramesTable*>(cursor->pVtab)->asked->logs.stack(its.of);
  its.depth = 0;
  return SQLITE_OK;
}
int next_frame(sqlite3_vtab_cursor* cursor) {
  FramesCursor& its = as_frames(cursor);
  its.at.stack = its.at.log->parent(its.at.stack);
  ++its.depth;
  return SQLITE_OK;
}
int is_after_frames(sqlite3_vtab_cursor* cursor) {
  const Logs::Place& at = as_frames(cursor).at;
  return at.log && at.stack != 0 ? 0 : 1;
}

int show_frame(sqlite3_vtab_cursor* cursor, sqlite3_context* to, int column) {
  const FramesCursor& its = as_frames(cursor);
  const Log& log = *its.at.log;
  switch (column) {
    case kDepth:
      sqlite3_result_int64(to, its.depth);
      break;
    case kMethod:
      show_kept_text(log.function(its.at.stack).name, to);
      break;
    case kModule:
      show_kept_or_null(log.function(its.at.stack).module, to);
      break;
    case kOwn:
      sqlite3_result_int(to, log.facts().function_is_own[log.node(its.at.stack).function]);
      break;
    case kLine:
      if (const std::string line = log.line(its.at.stack); !line.empty()) show_text(line, to);
      break;
    case kFrameStack:
      sqlite3_result_int64(to, int64_t{log.first_stack} + its.at.stack);
      break;
    default:
      sqlite3_result_int64(to, its.of);
  }
  return SQLITE_OK;
}
int number_of_frame(sqlite3_vtab_cursor* cursor, sqlite3_int64* number) {
  *number = as_frames(cursor).depth;
  return SQLITE_OK;
}

constexpr sqlite3_module kFramesModule = [] {
  sqlite3_module module = {};
  module.iVersion = 1;
  module.xConnect = connect_frames;
  module.xBestIndex = plan_frames;
  module.xDisconnect = disconnect<FramesTable>;
  module.xOpen = open_cursor<FramesCursor>;
  module.xClose = close_cursor<FramesCursor>;
  module.xFilter = begin_frames;
  module.xNext = next_frame;
  module.xEof = is_after_frames;
  module.xColumn = show_frame;
  module.xRowid = number_of_frame;
  return module;
}();

}  // namespace

int add_frames(sqlite3* database, Asked& asked) {
  return sqlite3_create_module_v2(database, "frames", &kFramesModule, &asked, nullptr);
}

}  // namespace oriel::query
