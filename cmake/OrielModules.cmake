# Built-in modules: each folder modules/NAME with a module.cc is a library liboriel-NAME.so that is installed beside the engine.
# Of its other sources a test may link oriel_NAME_parts. Its options.cc has the table of its options and what the command
# knows of it (modules/command.h); that is part of the command too, so it calls nothing of the engine's.
file(GLOB mains CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/modules/*/module.cc)
# What single modules have of other rooms.
set(oriel_rooms_of_coverage oriel_assembly)
set(oriel_alone_of_log ${CMAKE_SOURCE_DIR}/modules/log/event_buffer.cc)
set(command_sources)
set(command_declarations)
set(command_list)
foreach(main IN LISTS mains)
  get_filename_component(folder ${main} DIRECTORY)
  get_filename_component(name ${folder} NAME)
  file(GLOB parts CONFIGURE_DEPENDS ${folder}/*.cc)
  list(REMOVE_ITEM parts ${main})
  add_library(oriel-${name} MODULE ${main})
  if(parts)
    add_library(oriel_${name}_parts OBJECT ${parts})
    target_include_directories(oriel_${name}_parts PUBLIC ${folder})
    oriel_batches(oriel_${name}_parts ${oriel_alone_of_${name}})
    target_link_libraries(oriel_${name}_parts PUBLIC oriel_modules ${oriel_rooms_of_${name}} Threads::Threads)
    target_link_libraries(oriel-${name} PRIVATE oriel_${name}_parts)
  endif()
  # The engine last: what modules share may be all that calls it.
  target_link_libraries(oriel-${name} PRIVATE oriel_modules Threads::Threads oriel)
  set_target_properties(oriel-${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib
                        BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
  oriel_in_process(oriel-${name})
  install(TARGETS oriel-${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})

  if(EXISTS ${folder}/options.cc)
    list(APPEND command_sources ${folder}/options.cc)
    string(APPEND command_declarations "extern const oriel::modules::Command command_of_${name};\n")
    list(APPEND command_list "&command_of_${name}")
  endif()
endforeach()

# oriel_commands: what the modules' folders say of themselves, and the list of it.
list(JOIN command_list ", " command_list)
configure_file(${CMAKE_SOURCE_DIR}/cmake/all_commands.cc.in ${CMAKE_BINARY_DIR}/all_commands.cc @ONLY)
add_library(oriel_commands STATIC ${CMAKE_BINARY_DIR}/all_commands.cc ${command_sources})
target_link_libraries(oriel_commands PUBLIC oriel_modules)
