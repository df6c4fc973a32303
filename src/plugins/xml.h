// Reads XML elements one by one. Nothing that the document refers to is read.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace oriel::plugins {

using XmlAttributes = std::map<std::string, std::string>;

// Receives the elements. `path` has the open elements, outermost first; the last one is the element itself. An error
// ends the reading.
class XmlSink {
 public:
  virtual Status begin(const std::vector<std::string>& path, const XmlAttributes& attributes) = 0;
  // `text` is the element's trimmed content, if it contains no other elements.
  virtual Status end(const std::vector<std::string>& path, const std::string& text) = 0;

 protected:
  ~XmlSink() = default;
};

// An error begins with the line.
Status read_xml(std::string_view xml, XmlSink& sink);

}  // namespace oriel::plugins
