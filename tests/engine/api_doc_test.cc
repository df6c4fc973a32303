// docs/API.md says what the headers say. To write its table of events anew:
// ORIEL_REGENERATE=1 test_engine --gtest_filter='ApiDoc.*'
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "oriel/oriel.h"
#include "paths.h"
#include "runtimes/coreclr/unavailable_events.h"
#include "runtimes/mono/unavailable_events.h"

namespace {

constexpr const char* kBegin =
    "<!-- events: made from include/oriel/events.def, see tests/engine/api_doc_test.cc -->\n";
constexpr const char* kEnd = "<!-- end of events -->\n";

std::string read(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

const char* comes(const char* why_not) { return why_not ? "no" : "yes"; }

// What Mono says of the events that it lacks.
std::string reasons_of_mono() {
  std::ostringstream out;
  out << "\n| not on Mono | why |\n|---|---|\n";
#define ORIEL_EVENT(number, name, ...) \
  if (const char* const why = oriel::mono::why_unavailable(number)) out << "| `" #name "` | " << why << " |\n";
#include "oriel/events.def"
#undef ORIEL_EVENT
  return out.str();
}

std::string event_table() {
  std::ostringstream out;
  out << "| number | event | group | context | after the profiler comes | what | since | CoreCLR | Mono "
         "|\n|---|---|---|---|---|---|---|---|---|\n";
#define FIELD_A(kind, name) << "`" #kind " " #name "` " FIELD_B
#define FIELD_B(kind, name) << "`" #kind " " #name "` " FIELD_A
#define FIELD_A_END
#define FIELD_B_END
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc)                          \
  out << "| " #number " | `" #name "` | " #group " | " #context " | " ORIEL_SEQ_FIELDS(FIELD, fields) \
      << "| " doc " | " #since " | " << comes(oriel::coreclr::why_unavailable(number)) << " | "       \
      << comes(oriel::mono::why_unavailable(number)) << " |\n";
#define ORIEL_SEQ_FIELDS_END_(...) __VA_ARGS__##_END
#define ORIEL_SEQ_FIELDS_END(...) ORIEL_SEQ_FIELDS_END_(__VA_ARGS__)
#define ORIEL_SEQ_FIELDS(M, seq) ORIEL_SEQ_FIELDS_END(M##_A seq)
#include "oriel/events.def"
#undef ORIEL_EVENT
  return out.str() + reasons_of_mono();
}

TEST(ApiDoc, TableOfEventsIsThatOfTheDefinition) {
  std::string doc = read(oriel::test_paths::api_doc);
  const size_t begin = doc.find(kBegin), end = doc.find(kEnd);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const size_t table_begin = begin + std::string(kBegin).size();
  if (getenv("ORIEL_REGENERATE")) {
    doc.replace(table_begin, end - table_begin, event_table());
    std::ofstream(oriel::test_paths::api_doc) << doc;
    return;
  }
  EXPECT_EQ(doc.substr(table_begin, end - table_begin), event_table())
      << "run ORIEL_REGENERATE=1 test_engine --gtest_filter='ApiDoc.*'";
}

TEST(ApiDoc, NamesEveryFunction) {
  const std::string headers = oriel::test_paths::api_headers, doc = read(oriel::test_paths::api_doc);
  const std::string header = read(headers + "/oriel.h") + read(headers + "/code.h") + read(headers + "/heap.h");
  std::set<std::string> functions = {"oriel_method_set_data", "oriel_method_data"};  // made by a macro
  const std::regex declaration("ORIEL_API [^;(]*?(oriel_[a-z_]+)\\(");
  for (std::sregex_iterator it(header.begin(), header.end(), declaration), none; it != none; ++it) {
    functions.insert((*it)[1]);
  }
  functions.erase("oriel_profiler_set_");  // the setters of events: the table has them
  functions.erase("oriel_");               // oriel_KIND_id and the like
  EXPECT_GT(functions.size(), 100u);
  for (const std::string& function : functions) {
    EXPECT_NE(doc.find("`" + function + "`"), std::string::npos) << function << " is not in docs/API.md";
  }
}

}  // namespace
