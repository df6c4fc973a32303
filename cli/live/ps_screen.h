// What `oriel ps` shows of processes.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "live/live_processes.h"
#include "live/presence.h"
#include "report/report.h"

namespace oriel::cli {

struct PsRow {
  LiveProcess live;
  Presence oriel;
  std::string obstacle;  // "": can be attached to
  int64_t age_s = 0;     // since it started
};

// One line each, of display.width columns at most; a column that would be empty is left out.
void write_ps_text(const std::vector<PsRow>& rows, const report::Options& display, std::ostream& out);

// An array with an object each (docs/GUIDE.md).
void write_ps_json(const std::vector<PsRow>& rows, std::ostream& out);

// "12 s", "4 min", "2 h 03 min", "5 d 3 h".
std::string age_text(int64_t seconds);

}  // namespace oriel::cli
