#include "query/views.h"

namespace oriel::query {
namespace {

// In the same words as SQLite's: these are also the views of an exported database.
constexpr View kViews[] = {
    {"methods", "samples by function, most first: in it, and with what it called",
     R"(SELECT method, module, own, sum(self) AS self,
       sum(CASE WHEN outermost THEN total ELSE 0 END) AS total,
       round(100.0 * sum(self) / sum(sum(self)) OVER (), 1) AS self_percent
  FROM stacks WHERE kind = 'samples' GROUP BY function HAVING sum(total) > 0
  ORDER BY self DESC, total DESC)"},
    {"called_methods", "logged calls by method, by time in it: nanoseconds",
     R"(SELECT c.call AS method, sum(c.calls) AS calls, sum(c.self) AS self,
       sum(CASE WHEN s.outermost THEN s.total ELSE 0 END) AS total, sum(c.waited) AS waited, max(c.longest) AS longest
  FROM call_figures c JOIN stacks s ON s.stack = c.call_stack WHERE c.calls > 0
  GROUP BY s.function ORDER BY self DESC)"},
    {"slowest_requests", "requests, and other activities that are no part of another, the slowest first",
     R"(SELECT took, "end" - took AS start, "end", source, name,
       (SELECT substr(value, 21) FROM json_each(tags) WHERE value LIKE 'http.request.method=%') AS method,
       (SELECT substr(value, 12) FROM json_each(tags) WHERE value LIKE 'http.route=%') AS route,
       failed, thread, id
  FROM activities WHERE parent NOT IN (SELECT id FROM activities) ORDER BY took DESC)"},
    {"waits_by_lock",
     "waits for locks by type and the method that waited, the longest in all first; one below 1 ms is logged with a "
     "chance in proportion to its length, and counts for those that are not",
     R"(SELECT w.type AS type, coalesce(s.own_method, s.method) AS method,
       CAST(round(sum(CASE WHEN w.waited > 0 THEN max(1.0, 1000000.0 / w.waited) ELSE 1 END)) AS INTEGER) AS waits,
       sum(CASE WHEN w.waited > 0 THEN max(w.waited, 1000000) ELSE 0 END) AS waited, max(w.waited) AS longest,
       count(DISTINCT coalesce(w.thread_os_id, w.thread)) AS threads, count(DISTINCT w.lock) AS locks
  FROM lock_waits w LEFT JOIN stacks s ON s.stack = w.stack GROUP BY 1, 2 ORDER BY waited DESC)"},
    {"allocations_by_type", "allocated objects by their type, most bytes first",
     R"(SELECT type, sum(objects) AS objects, sum(bytes) AS bytes
  FROM allocations GROUP BY type ORDER BY bytes DESC)"},
    {"allocations_by_own_method", "allocated objects by type and by the nearest method of the program's own",
     R"(SELECT own_site AS method, type, sum(objects) AS objects, sum(bytes) AS bytes
  FROM allocations GROUP BY own_site, type ORDER BY bytes DESC)"},
    {"allocations_by_own_line", "the same by line, where it is known",
     R"(SELECT own_line AS line, own_site AS method, type, sum(objects) AS objects, sum(bytes) AS bytes
  FROM allocations GROUP BY own_line, own_site, type ORDER BY bytes DESC)"},
    {"exceptions_by_stack", "exceptions with a stack in the log by type and by the method that threw them, most first",
     R"(SELECT t.type AS type, s.thrower AS method, sum(t.thrown) AS thrown
  FROM thrown_at t LEFT JOIN stacks s ON s.stack = t.stack GROUP BY 1, 2 ORDER BY thrown DESC)"},
    {"collections_by_generation", "garbage collections by the oldest generation that they collected",
     R"(SELECT generation, count(*) AS collections, sum(induced) AS induced, sum(paused) AS paused,
       max(paused) AS longest
  FROM collections GROUP BY generation ORDER BY generation)"},
    {"coverage_by_assembly",
     "what ran of the methods of each assembly that began to run: the others are in no log, and oriel report coverage "
     "has them; of several logs, each method as in the one that ran most of it",
     R"(SELECT assembly, sum(ran > 0) AS methods_ran, sum(places) AS places, sum(ran) AS ran
  FROM (SELECT i.name AS assembly, max(m.places) AS places, max(m.ran) AS ran
          FROM covered_methods m JOIN covered_images i ON i.rowid = m.image
          GROUP BY i.name, i.mvid, m."row", m.name)
  GROUP BY assembly ORDER BY assembly)"},
    {"coverage_by_file",
     "what ran of the lines of each source file, those with most that did not run first; of several logs, the ways "
     "taken in the one that took most",
     R"(SELECT file, count(*) AS lines, sum(hits > 0) AS lines_ran, sum(hits = 0) AS lines_missed,
       round(100.0 * sum(hits > 0) / count(*), 1) AS percent, sum(ways) AS ways, sum(ways_taken) AS ways_taken
  FROM (SELECT file, line, max(hits) AS hits, max(ways) AS ways, max(ways_taken) AS ways_taken
          FROM covered_lines GROUP BY file, line)
  GROUP BY file ORDER BY lines_missed DESC, file)"},
};

}  // namespace

std::span<const View> views() { return kViews; }

}  // namespace oriel::query
