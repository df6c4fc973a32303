// A page of viewer/ as it is written: what stands between its markers, and what replaces these.
#pragma once

#include <algorithm>
#include <ostream>
#include <string_view>

namespace oriel::exports {

class PageParts {
 public:
  PageParts(std::string_view page, std::ostream& out) : rest_(page), out_(out) {}

  // Writes the page up to the marker, which the caller replaces.
  void up_to(std::string_view marker) {
    const size_t at = rest_.find(marker);
    out_ << rest_.substr(0, at);
    rest_.remove_prefix(std::min(rest_.size(), at == rest_.npos ? rest_.size() : at + marker.size()));
  }
  void rest() { out_ << rest_; }

 private:
  std::string_view rest_;
  std::ostream& out_;
};

}  // namespace oriel::exports
