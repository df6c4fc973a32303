# Built-in modules: each folder modules/NAME with a module.cc is a library liboriel-NAME.so that is installed beside the engine.
# Of its other sources a test may link oriel_NAME_parts.
file(GLOB mains CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/modules/*/module.cc)
foreach(main IN LISTS mains)
  get_filename_component(folder ${main} DIRECTORY)
  get_filename_component(name ${folder} NAME)
  file(GLOB parts CONFIGURE_DEPENDS ${folder}/*.cc)
  list(REMOVE_ITEM parts ${main})
  add_library(oriel_${name}_parts OBJECT ${parts})
  target_include_directories(oriel_${name}_parts PUBLIC ${folder})
  target_link_libraries(oriel_${name}_parts PUBLIC oriel_module Threads::Threads)

  add_library(oriel-${name} MODULE ${main})
  target_link_libraries(oriel-${name} PRIVATE oriel_${name}_parts oriel)
  set_target_properties(oriel-${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib
                        BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
  oriel_in_process(oriel-${name})
  install(TARGETS oriel-${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()
