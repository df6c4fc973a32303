"use strict";
// The profile in the page, and what is shown of it.
//
// The JSON that `oriel export` puts in: facts (of the page); summary: facts as [label, text, is a warning], hints and
// own methods as in the JSON of `oriel report summary`; groups: what code is for, [category, name] each; frames (names,
// module: index into modules, kinds: a digit a frame, raw: [frame, name] where metadata has another one); threads: [name,
// id]; trees: nodes depth first, without the root, each as `up` (how many places before it its caller stands), `frame`
// and `group`, and of each thread its own weights as `nodes` (each the distance to the one before), `self` and, where
// there is one, by another measure `second`, with `other` for weights of another group than their node's: [place,
// group], and of samples `parts`: when, as parts of the run, each the distance to the one before and what was then; weights:
// what the trees' columns are; lines: see src/export/page_lines.h; time: the run from begin to end (nanoseconds) in so many
// parts; its lanes, each a thread with how many tenths of each part it ran and what it waited for (index into waits: [key,
// what, where]), both as [value, how often, …]; pauses [begin, ns]; locks [thread, begin, ns, type, thread that had it];
// requests [begin, ns, name, failed]; counters with a value a part, of a total how fast it grew; leftOut: of what there was too
// much, how much of it is not there: what lasts longest is.
const data = JSON.parse(document.getElementById("data").textContent);
const facts = data.facts;
const KINDS = ["managed", "native", "runtime", "type"];
const UNNAMED_FRAMES = 2;  // the first ones stand for stacks and callers that are not known

const frameName = (frame) => data.frames.names[frame];
const frameModule = (frame) => data.frames.modules[data.frames.module[frame]];
const frameKind = (frame) => data.frames.kinds.charCodeAt(frame) - 48;
const rawNames = new Map(data.frames.raw);
const groupKey = (group) => data.groups[group][0];
const groupName = (group) => data.groups[group][1];

// What frames can be weighed by: the log's weights, of samples the time that they stand for first.
const WEIGHTS = data.weights.flatMap(({name, tree, column}) => {
  const unit = {"samples": "samples", "calls-time": "time", "calls": "calls", "bytes": "bytes", "objects": "objects"}[name];
  const label = {"samples": "Samples", "calls-time": "Time in calls", "calls": "Calls", "bytes": "Bytes", "objects": "Objects"}[name];
  const made = {name, tree, column, unit, label, scale: 1};
  if (name !== "samples" || !facts.periodNs) return [made];
  return [{...made, unit: "time", label: facts.mode === "real" ? "Real time" : "CPU time", scale: facts.periodNs}, made];
});

// What is shown. Of `groups`, those that are counted; all if there is none.
const shown = {
  weight: Math.max(0, WEIGHTS.findIndex(({name}) => name === facts.weight)),
  thread: -1,
  groups: new Set(),
  scaffolding: false,
  range: null,    // parts of the run [from, to) that are counted; null: all
  callersOf: -1,  // a frame: its callers are shown, not the calls from the threads' starts down
};
const weightShown = () => WEIGHTS[shown.weight];
