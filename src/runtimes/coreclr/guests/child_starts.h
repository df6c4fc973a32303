// Programs that a profiled one starts, where children are profiled too.
#pragma once

namespace oriel::coreclr {

// From now on what the framework starts gets child_environment of what it is given, so that the variables that name the
// runtime's profiler may be another's in this process and for its children. False, and they must stay Oriel's, if
// children are not profiled (ORIEL_CHILDREN is not 1), or if the framework has another way to start them; that is said.
// Any number of times; first before these variables are changed.
bool mend_starts_of_children();

}  // namespace oriel::coreclr
