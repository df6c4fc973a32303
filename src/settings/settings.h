// Settings in a file: an object of JSON whose names are those of the options of `oriel run`, without dashes.
//
//   {"sample": 500, "calls": "Shop.*", "output": "/data/%n-%p.oriel", "rotate": "100MB", "keep": 10}
//
// An option without a value is true; false is as if it was left out. Patterns and names may be arrays of texts. Of the
// options that are no module's, a file has `output`, `paused`, `module`, `children` and `no-redact`.
//
// The tool reads settings, and so does a process that starts without it. Names and types come from the modules' tables
// of options and the text from a JSON library. Neither is part of the engine: it loads what is here as a library of its
// own (src/libsettings), only where there is a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"

namespace oriel::settings {

struct Setting {
  std::string option;                // "--sample"
  std::optional<std::string> value;  // nullopt: it is given without one
};

struct Settings {
  std::vector<Setting> options;  // of built-in modules
  std::string output;            // "": not given
  bool paused = false;
  bool children = false;             // a process that starts by itself passes its environment to them anyway
  bool no_redact = false;            // nothing is left out of what logs have of the program
  std::vector<std::string> modules;  // others, by their descriptions (base/process/module_spec.h)
};

// Reads a file's text. Each setting by itself is checked. Errors are one line and begin with the file's name and the
// line's number.
Result<Settings> parse_settings(const std::string& text, const std::string& file);
Result<Settings> read_settings(const std::string& file);

// The modules that the settings ask for, as ORIEL_PROFILERS has them. Errors say what does not fit together.
Result<std::string> modules_text(const Settings& settings);

}  // namespace oriel::settings
