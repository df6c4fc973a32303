// Names that could break output formats.
#pragma once

#include <string>
#include <vector>

namespace oriel::testing {

inline const std::vector<std::string>& hostile_names() {
  using namespace std::string_literals;
  static const std::vector<std::string> names = {
      "</script><script>document.title='owned'</script>",
      "<!--<script>",
      "\"quoted\" and 'single' and `back` \\ slash",
      "&lt;b&gt; &amp; <b onmouseover=alert(1)>",
      "line\nbreak\r\ttab",
      "nul\0inside"s,
      "bell\x07 escape\x1b[31m delete\x7f",
      "separator\xE2\x80\xA8line\xE2\x80\xA9paragraph",
      "right-to-left\xE2\x80\xAE"
      "gnitirw",
      "cut\xE2\x82",
      "overlong\xC0\xAF surrogate\xED\xA0\x80 beyond\xF4\x90\x80\x80 lone\xFF\x80",
      "semi;colon",
      "/*oriel:script*/ /*oriel:data*/",
      "${x} {{y}} %s %n",
      "Größe.计算 \xF0\x9F\x94\xA5",
      "__proto__",
      "constructor",
      "",
  };
  return names;
}

}  // namespace oriel::testing
