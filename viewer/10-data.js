"use strict";
// The profile in the page, and the current view.
//
// The JSON that `oriel export` embeds:
// - facts: of the page. summary: facts as [label, text, is a warning]; hints and own methods as in the JSON of `oriel
//   report summary`.
// - groups: what code is for, as [category, name]. threads: [name, id].
// - frames: modules, and all: [number, name, module, kind], with a fifth where metadata has another name. Only those
//   that the page names.
// - trees: nodes depth first, without the root, each as `up` (distance back to its caller), `frame` and `group`;
//   `scaffolding`: nodes that are hidden unless asked for (distance from the one before). Per thread, self weights:
//   `nodes` (distance from the one before), `self`, and a second measure `second`, if there is one; `other` for weights
//   with another group than their node's: [place, group]; for samples `parts`: pairs of a part of the run (distance from
//   the one before) and the weight in it. In a page that is served, {served, timed}: see 13-served.js.
// - folded: trees that are not there as a whole: [tree, least, nodes]: so many nodes with totals below `least` are one
//   for each caller, whose frame is facts.smaller.
// - weights: what the trees' columns are. lines: see src/exports/page_lines.h.
// - time: begin and end of the run (nanoseconds) and number of parts. lanes: a thread with tenths of each part that it
//   ran, and what it waited for (index into waits: [key, what, where]), both as [value, repetitions, …]. pauses
//   [begin, ns]; locks [thread, begin, ns, type, owning thread]; requests [begin, ns, name, failed]; marks [time, text]; counters with a
//   value per part, for totals a rate. leftOut: how many entries were left out by kind; the longest are kept.
// - collections: rows as [number, begin, end (-1: not ended), pause (nanoseconds), generation, why, bytes of the heap
//   behind it or null, the pause's time for stopping, marking, planning, moving and sweeping, times of the collector's
//   threads as [thread, ns], process]. leftOut: how many have no row; those with the longest pauses have. processes: their
//   names.
// - heap: snapshots, the last one last. Of each: name, text (with its time), says (who holds most) and note; tree, of
//   dominators, whose self weights are bytes of objects; objects (by node, from 1, how many; 0 for roots); chains (nodes
//   whose objects follow one another); least (bytes; what retains less has no node). places: [frame, by which field the
//   objects are referred to]. leftOut: how many snapshots have no tree here.
const data = JSON.parse(document.getElementById("data").textContent);
const facts = data.facts;
const KINDS = ["managed", "native", "runtime", "type", "", ""];
const TYPE_KIND = 3, OBJECT_KIND = 4;  // neither is code

// By frame; a page that is served knows only some, and learns of more.
const rawNames = new Map();
const addFrames = ({modules, all}) => {
  for (const [frame, name, module, kind, raw] of all) {
    data.frames.names[frame] = name;
    data.frames.modules[frame] = modules[module];
    data.frames.kinds[frame] = kind;
    if (raw !== undefined) rawNames.set(frame, raw);
  }
};
const firstFrames = data.frames;
data.frames = {names: [], modules: [], kinds: []};
addFrames(firstFrames);

const frameName = (frame) => data.frames.names[frame];
const frameModule = (frame) => data.frames.modules[frame];
const frameKind = (frame) => data.frames.kinds[frame];
const groupName = (group) => data.groups[group][1];

// The unit and the label of each weight.
const WEIGHT_WORDS = {
  "samples": ["samples", "Samples"],
  "calls-time": ["time", "Time in calls"],
  "calls": ["calls", "Calls"],
  "bytes": ["bytes", "Bytes"],
  "objects": ["objects", "Objects"],
  "alive": ["bytes", "Bytes alive after a full collection"],
  "alive-2": ["bytes", "Bytes alive after 2"],
  "alive-10": ["bytes", "Bytes alive after 10"],
  "heap": ["bytes", "Heap"],
};

// Weights that frames can have: those of the log; for samples, their time first.
const WEIGHTS = data.weights.flatMap(({name, tree, column}) => {
  const [unit, label] = WEIGHT_WORDS[name];
  const made = {name, tree, column, unit, label, scale: 1};
  if (name !== "samples" || !facts.periodNs) return [made];
  return [{...made, unit: "time", label: facts.mode === "real" ? "Real time" : "CPU time", scale: facts.periodNs}, made];
});

// The current view. `groups`: the groups that are counted; if empty, all.
const shown = {
  weight: Math.max(0, WEIGHTS.findIndex(({name}) => name === facts.weight)),
  thread: -1,
  groups: new Set(),
  scaffolding: false,
  range: null,    // counted parts of the run, [from, to); null: all. A page that is served may count a part of a part
  marks: ["", ""],  // the marks that the range was chosen by: their numbers, "" for the run's begin and end
  snapshot: data.heap.snapshots.length - 1,  // of the heap
  callersOf: -1,  // a frame whose callers are shown, instead of the call tree; -1: none
};
const weightShown = () => WEIGHTS[shown.weight];
const heapShown = () => weightShown().name === "heap";
const snapshotShown = () => data.heap.snapshots[shown.snapshot];
const treeNumber = () => heapShown() ? snapshotShown().tree : weightShown().tree;
