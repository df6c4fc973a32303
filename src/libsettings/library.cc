// What the engine calls to read a file of settings.
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>

#include "oriel/oriel.h"
#include "settings/settings.h"

// Reads the file. Returns 0 with the modules that it asks for in `text`, as ORIEL_PROFILERS has them, whether they wait
// to be started in `paused`, and whether nothing is to be left out of logs in `no_redact`; otherwise 1, with what is
// wrong in `text`. It is always terminated. Any thread; lets no exception out.
extern "C" ORIEL_MODULE_EXPORT int oriel_settings_read(const char* file, char* text, size_t size, int* paused,
                                                       int* no_redact) {
  using oriel::Result;
  try {
    const Result<oriel::settings::Settings> settings = oriel::settings::read_settings(file);
    const Result<std::string> modules =
        settings ? oriel::settings::modules_text(*settings) : Result<std::string>(settings.status());
    const std::string in_file = settings ? std::string(file) + ": " : "";
    const std::string told = modules ? *modules : in_file + modules.message();
    *paused = settings && settings->paused ? 1 : 0;
    *no_redact = settings && settings->no_redact ? 1 : 0;
    const bool fits = told.size() < size;
    snprintf(text, size, "%s", fits ? told.c_str() : "the settings are too long; use fewer patterns");
    return modules && fits ? 0 : 1;
  } catch (const std::exception& error) {
    snprintf(text, size, "the settings %s cannot be read: %s", file, error.what());
    return 1;
  }
}
