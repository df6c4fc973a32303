// contains(stack, patterns) and stack_text(stack). Of a stack that is not known both are null.
#include "query/table_module.h"

namespace oriel::query {
namespace {

Logs::Place stack_of(sqlite3_context* context, sqlite3_value* value) {
  if (sqlite3_value_type(value) != SQLITE_INTEGER) return {};
  return static_cast<const Asked*>(sqlite3_user_data(context))->logs.stack(sqlite3_value_int64(value));
}

bool is_number_or_null(sqlite3_context* context, sqlite3_value* value, const char* function) {
  const int type = sqlite3_value_type(value);
  if (type == SQLITE_INTEGER || type == SQLITE_NULL) return true;
  char* message = sqlite3_mprintf("%s() takes a stack: a column as stack or call_stack", function);
  sqlite3_result_error(context, message ? message : "", -1);
  sqlite3_free(message);
  return false;
}

void stack_text_function(sqlite3_context* context, int, sqlite3_value** values) {
  if (!is_number_or_null(context, values[0], "stack_text")) return;
  const Logs::Place place = stack_of(context, values[0]);
  if (place.log) show_text(place.log->text(place.stack), context);
}

}  // namespace

void contains_function(sqlite3_context* context, int, sqlite3_value** values) {
  if (!is_number_or_null(context, values[0], "contains")) return;
  const Logs::Place place = stack_of(context, values[0]);
  const auto* patterns = reinterpret_cast<const char*>(sqlite3_value_text(values[1]));
  if (!place.log || !patterns) return;
  // Kept by SQLite as long as the patterns are the same.
  using Sets = Logs::Sets;
  auto* sets = static_cast<Sets*>(sqlite3_get_auxdata(context, 1));
  Sets looked_up;
  const Logs& logs = static_cast<const Asked*>(sqlite3_user_data(context))->logs;
  if (!sets) {
    const Result<Sets> found = logs.containing(patterns);
    if (!found) return sqlite3_result_error(context, found.message().c_str(), -1);
    looked_up = *found;
    sqlite3_set_auxdata(context, 1, new Sets(looked_up), [](void* kept) { delete static_cast<Sets*>(kept); });
  }
  const Sets& known = sets ? *sets : looked_up;
  for (size_t i = 0; i < logs.size(); ++i)
    if (&logs[i] == place.log) sqlite3_result_int(context, (*known)[i][place.stack]);
}

int add_functions(sqlite3* database, Asked& asked) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  const int code =
      sqlite3_create_function_v2(database, "contains", 2, kFlags, &asked, contains_function, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return code;
  return sqlite3_create_function_v2(database, "stack_text", 1, kFlags, &asked, stack_text_function, nullptr, nullptr,
                                    nullptr);
}

}  // namespace oriel::query
