// The files of viewer/, embedded in the program (see embed.cmake).
#pragma once

#include <string_view>

namespace oriel::exports {

extern const std::string_view kViewerHtml;  // with the markers /*oriel:connect*/, :style, :data and :script
extern const std::string_view kViewerCss;
extern const std::string_view kViewerScript;  // all of viewer/*.js, in the order of their names

// The files of viewer/coverage.
extern const std::string_view kCoverageHtml;
extern const std::string_view kCoverageCss;
extern const std::string_view kCoverageScript;

// The files of viewer/tables: a page that `oriel view` serves.
extern const std::string_view kTablesHtml;  // with the markers /*oriel:style*/ and /*oriel:script*/
extern const std::string_view kTablesCss;
extern const std::string_view kTablesScript;

}  // namespace oriel::exports
