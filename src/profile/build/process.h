// The process of a log, from its intro.
#pragma once

#include "log/format.h"
#include "profile/profile.h"

namespace oriel::profile {

// From the intro only; the caller sets times, samples and the file.
Process process_of(const log::Intro& intro);

// "Shop (4711)"
std::string process_label(const Process& process);

// Whether it is `dotnet run`, `dotnet watch` or `dotnet test`, which run a user's program.
bool starts_another(const Process& process);

// By index: whether the process is one of the program that the user profiles. If a process starts_another, those are
// the processes that are not part of the SDK, if there are any; else all, as for `dotnet build`.
std::vector<bool> user_processes(const std::vector<Process>& processes);

}  // namespace oriel::profile
