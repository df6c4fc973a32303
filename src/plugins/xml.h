// Reads XML: its elements as they come. The document itself names nothing that is read besides.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace oriel::plugins {

using XmlAttributes = std::map<std::string, std::string>;

// What hears of the elements; `path`: the open ones, the outermost first, with the one that it is about last. An error
// ends the reading.
class XmlSink {
 public:
  virtual Status begin(const std::vector<std::string>& path, const XmlAttributes& attributes) = 0;
  // `text`: what stood in it, of elements that have no others in them, without the blanks around it.
  virtual Status end(const std::vector<std::string>& path, const std::string& text) = 0;

 protected:
  ~XmlSink() = default;
};

// An error begins with the line.
Status read_xml(std::string_view xml, XmlSink& sink);

}  // namespace oriel::plugins
