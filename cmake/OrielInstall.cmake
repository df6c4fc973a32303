# cmake --install and cpack: the command, the engine, its modules, the reader of logs, and what authors of modules and of
# programs that read logs need.
include(CMakePackageConfigHelpers)
get_target_property(ORIEL_SOVERSION oriel SOVERSION)
get_target_property(ORIEL_READER_SOVERSION oriel-reader SOVERSION)

install(TARGETS oriel-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS oriel oriel-reader InstrumentationEngine LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
# A link, as in the build folder (src/liboriel), and a library.
install(FILES ${CMAKE_BINARY_DIR}/lib/libmono-profiler-oriel.so DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS oriel-for-mono LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/oriel-mono)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/oriel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN "*.def")

install(FILES ${CMAKE_BINARY_DIR}/oriel.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
configure_file(${PROJECT_SOURCE_DIR}/docs/liboriel-reader.3.in ${CMAKE_BINARY_DIR}/liboriel-reader.3 @ONLY)
file(WRITE ${CMAKE_BINARY_DIR}/oriel-log.3 ".so man3/liboriel-reader.3\n")  # by the header's name
install(FILES ${CMAKE_BINARY_DIR}/liboriel-reader.3 ${CMAKE_BINARY_DIR}/oriel-log.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)

# zsh looks in site-functions; Debian's, for what packages bring, in vendor-completions.
set(completions ${CMAKE_BINARY_DIR}/completions)
install(FILES ${completions}/oriel.bash DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions RENAME oriel)
install(FILES ${completions}/oriel.zsh DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/site-functions RENAME _oriel)
install(FILES ${completions}/oriel.zsh DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/vendor-completions RENAME _oriel)
install(FILES ${completions}/oriel.fish DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d)

# What README and the documents link to lies beside them as it does in the source.
file(READ ${PROJECT_SOURCE_DIR}/LICENSE license)
string(REGEX MATCH "Copyright[^\n]*" copyright_line "${license}")
string(REGEX REPLACE "^Copyright( \\(c\\))? " "" copyright_holder "${copyright_line}")
string(REGEX REPLACE "^.*Copyright[^\n]*\n+" "" license_text "${license}")
string(STRIP "${license_text}" license_text)
string(REPLACE "\n" "\n " license_text "${license_text}")
string(REPLACE "\n \n" "\n .\n" license_text "${license_text}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/package/copyright.in ${CMAKE_BINARY_DIR}/copyright @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
foreach(document README LICENSE CHANGELOG CONTRIBUTING SECURITY)
  file(GLOB file ${PROJECT_SOURCE_DIR}/${document} ${PROJECT_SOURCE_DIR}/${document}.md)
  install(FILES ${file} DESTINATION ${CMAKE_INSTALL_DOCDIR})
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The prefix seen from the .pc file's own folder, so that an installation may be moved.
file(RELATIVE_PATH to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" to_prefix "${to_prefix}")
set(ORIEL_PC_PREFIX "\${pcfiledir}/${to_prefix}")
foreach(library oriel oriel-log)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/package/${library}.pc.in ${CMAKE_BINARY_DIR}/${library}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Oriel)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/package/OrielConfig.cmake.in
                              ${CMAKE_BINARY_DIR}/OrielConfig.cmake INSTALL_DESTINATION ${package_folder}
                              PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/OrielConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/OrielConfig.cmake ${CMAKE_BINARY_DIR}/OrielConfigVersion.cmake
        DESTINATION ${package_folder})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME oriel)
set(CPACK_PACKAGE_VENDOR Oriel)
set(CPACK_PACKAGE_CONTACT "The Oriel developers <oriel@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Profiling engine for .NET on Linux")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS libcurl4)  # loaded by oriel push, so no dependency that dpkg sees
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
