// What a page that is served asks for.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "exports/page_zoom.h"

namespace oriel::exports {

struct PageSelection {
  uint32_t tree = 0;
  bool second = false;             // weighed by the second measure
  std::optional<uint32_t> thread;  // none: all
  std::set<uint32_t> groups;       // none: all
  std::optional<int64_t> from_ns, to_ns;
  bool scaffolding = false;
  std::optional<uint32_t> callers_of;  // a frame whose callers are asked for, instead of the calls
  std::vector<ZoomStep> zoom;
  std::vector<bool> found;        // by frame: whether the search found it; may be shorter
  std::optional<uint32_t> frame;  // a method that is asked for by itself

  bool has_time() const { return from_ns.has_value() || to_ns.has_value(); }
};

// From the words of a request: tree=0&second=1&thread=3&group=1,4&from=1000&to=2000&scaffolding=1&callers=12&
// zoom=5.17.s300.4&found=0f3c&frame=12. Numbers are not checked against what there is.
Result<PageSelection> parse_selection(const std::map<std::string, std::string>& words);

}  // namespace oriel::exports
