// The variables by which Mono loads Oriel: MONO_ENV_OPTIONS has options for it, and LD_LIBRARY_PATH a folder with
// nothing in it but the library that it then looks for. Pure functions of the variables' values.
#pragma once

#include <string>
#include <string_view>

namespace oriel {

// The folder beside liboriel.so.
inline constexpr std::string_view kMonoFolder = "oriel-mono";

// What Mono looks for in it.
std::string mono_library(std::string_view engine_folder);

// Options of the user's stay, among them other profilers. What is there already is not added again. Where Oriel adds to
// methods' code, Mono must compile it: it adds nothing to code that was compiled ahead of time.
std::string with_oriel_option(std::string_view options, bool adds_to_code);
std::string without_oriel_option(std::string_view options);

// Whether a word of a command line, or of those options, asks for code that was compiled ahead of time, or has Mono run
// nothing else.
bool wants_precompiled(std::string_view word);

// Folders of the user's go first. `engine_folder` is where liboriel.so is.
std::string with_oriel_folder(std::string_view path, std::string_view engine_folder);
std::string without_oriel_folder(std::string_view path);

}  // namespace oriel
