# cmake -DVIEWER=folder -DOUTPUT=file.cc -P embed.cmake: the viewer's files as C++ constants.
function(literal files out)
  set(text "")
  foreach(file IN LISTS files)
    file(READ ${file} piece)
    string(APPEND text "${piece}")
  endforeach()
  # A raw string that holds its own end, or a script that holds the end of its element, would break page or build.
  if(text MATCHES "[)]oriel_file\"" OR text MATCHES "<!--")
    message(FATAL_ERROR "${files}: must not contain )oriel_file\" or an HTML comment")
  endif()
  set(${out} "R\"oriel_file(${text})oriel_file\"" PARENT_SCOPE)
endfunction()

file(GLOB scripts ${VIEWER}/*.js)
list(SORT scripts)
literal(${VIEWER}/page.html html)
literal(${VIEWER}/page.css css)
literal("${scripts}" script)
literal(${VIEWER}/coverage/page.html coverage_html)
literal("${VIEWER}/plain.css;${VIEWER}/coverage/page.css" coverage_css)
literal(${VIEWER}/coverage/page.js coverage_script)
literal(${VIEWER}/tables/page.html tables_html)
literal("${VIEWER}/plain.css;${VIEWER}/tables/page.css" tables_css)
literal(${VIEWER}/tables/page.js tables_script)
file(WRITE ${OUTPUT} "#include \"exports/viewer_files.h\"\n\nnamespace oriel::exports {\n"
  "const std::string_view kViewerHtml = ${html};\n"
  "const std::string_view kViewerCss = ${css};\n"
  "const std::string_view kViewerScript = ${script};\n"
  "const std::string_view kCoverageHtml = ${coverage_html};\n"
  "const std::string_view kCoverageCss = ${coverage_css};\n"
  "const std::string_view kCoverageScript = ${coverage_script};\n"
  "const std::string_view kTablesHtml = ${tables_html};\n"
  "const std::string_view kTablesCss = ${tables_css};\n"
  "const std::string_view kTablesScript = ${tables_script};\n"
  "}  // namespace oriel::exports\n")
