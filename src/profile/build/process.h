// The process that a log is of, as its intro tells.
#pragma once

#include "log/format.h"
#include "profile/profile.h"

namespace oriel::profile {

// What the intro alone tells; times, samples and the file are the caller's to fill in.
Process process_of(const log::Intro& intro);

// "Shop (4711)"
std::string process_label(const Process& process);

// Whether it is `dotnet run`, `dotnet watch` or `dotnet test`, which run a program of somebody's.
bool starts_another(const Process& process);

// Which of the processes of a run are the program that was meant, by index. Where `dotnet run`, `dotnet watch` or
// `dotnet test` is one of them, those that are no part of the SDK, if there are any; else all, as of `dotnet build`.
std::vector<bool> meant(const std::vector<Process>& processes);

}  // namespace oriel::profile
