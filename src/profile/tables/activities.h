// What libraries did for somebody.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/table/field.h"

namespace oriel::profile {

// As its source told once it was over: a request, a call of another server, a database command.
struct Activity {
  int64_t end_ns = 0;
  int64_t ns = 0;
  std::string id;  // "" of what nothing is a part of
  std::string parent;
  std::string source;
  std::string name;
  bool failed = false;
  std::vector<std::string> tags;  // "http.response.status_code=200"
  uint32_t thread = 0;

  static constexpr auto described() {
    using namespace table;
    return describe(Order::kAsTold, Part::kRows, field<Kind::kEnd>("end", &Activity::end_ns, "when it ended"),
                    field<Kind::kLength>("took", &Activity::ns, "how long it took"),
                    field<Kind::kText>("id", &Activity::id, "its id, to which its children refer as their parent"),
                    field<Kind::kText>("parent", &Activity::parent, "the id of the activity that contains it"),
                    field<Kind::kText>("source", &Activity::source, "what reported it"),
                    field<Kind::kText>("name", &Activity::name, "its operation"),
                    field<Kind::kFlag>("failed", &Activity::failed, "its source reports an error"),
                    field<Kind::kTexts>("tags", &Activity::tags, "further tags of its source"),
                    field<Kind::kThread>("thread", &Activity::thread, "on which it ended").choosing(false));
  }
};

}  // namespace oriel::profile
