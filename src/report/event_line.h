// Events as lines of a dump.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "log/event.h"
#include "profile/names.h"
#include "report/dump_line.h"
#include "report/dump_survey.h"

namespace oriel::report {

// "gc_begin" and the like, from events.def; version 1's own events by names of the same manner.
std::string_view event_kind(uint32_t number);

// The event's values, those that are ids with their names: "method" is the name, "method_id" the id.
void add_event_fields(const log::Event& event, const profile::Names& names, const DumpSurvey& survey, DumpLine& line);

}  // namespace oriel::report
