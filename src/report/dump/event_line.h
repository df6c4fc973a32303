// Events as lines of a dump.
#pragma once

#include "log/event.h"
#include "profile/build/names.h"
#include "report/dump/dump_line.h"
#include "report/dump/dump_survey.h"

namespace oriel::report {

// The event's values, those that are ids with their names: "method" is the name, "method_id" the id.
void add_event_fields(const log::Event& event, const profile::Names& names, const DumpSurvey& survey, DumpLine& line);

}  // namespace oriel::report
