# The version has one place: the repository's tag vMAJOR.MINOR.PATCH where there is one, else what project() is given.

# oriel_configure_after(FOLDER files…): CMake runs again when one of these files of FOLDER's repository changes.
function(oriel_configure_after folder)
  if(CMAKE_SCRIPT_MODE_FILE)
    return()
  endif()
  foreach(file ${ARGN})
    execute_process(COMMAND ${ORIEL_GIT} -C ${folder} rev-parse --git-path ${file}
                    OUTPUT_VARIABLE path ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    get_filename_component(path "${path}" ABSOLUTE BASE_DIR ${folder})
    if(EXISTS ${path})
      set_property(DIRECTORY ${folder} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    endif()
  endforeach()
endfunction()

# oriel_version(FOLDER FALLBACK): sets ORIEL_VERSION, what people read ("1.2.3" at the tag, "1.2.3-4-g0a1b2c3" four commits
# after it), and ORIEL_VERSION_NUMBER, its numbers. A repository that FOLDER only lies in, of another project that has Oriel
# within, tells nothing of Oriel.
function(oriel_version folder fallback)
  set(ORIEL_VERSION ${fallback} PARENT_SCOPE)
  set(ORIEL_VERSION_NUMBER ${fallback} PARENT_SCOPE)
  find_program(ORIEL_GIT git)
  mark_as_advanced(ORIEL_GIT)
  if(NOT ORIEL_GIT OR NOT EXISTS ${folder}/.git)
    return()
  endif()
  oriel_configure_after(${folder} refs/tags packed-refs)
  execute_process(COMMAND ${ORIEL_GIT} -C ${folder} describe --tags --match "v[0-9]*" --abbrev=7
                  OUTPUT_VARIABLE described RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(failed OR NOT described MATCHES "^v([0-9]+\\.[0-9]+\\.[0-9]+)([-+.][-+.0-9A-Za-z]*)?$")
    return()
  endif()
  set(ORIEL_VERSION_NUMBER ${CMAKE_MATCH_1} PARENT_SCOPE)
  set(ORIEL_VERSION ${CMAKE_MATCH_1}${CMAKE_MATCH_2} PARENT_SCOPE)
  # Counts commits since the tag: asked again after each.
  oriel_configure_after(${folder} logs/HEAD)
endfunction()
