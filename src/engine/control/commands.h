// What whoever controls a running program may ask of it: `oriel ctl` through the socket, and a program by
// oriel_control.
#pragma once

#include "control/message.h"

namespace oriel::control {

// Does what the words say and answers when it is so. One at a time. Any thread outside callbacks; not async-safe.
//
//   status                        a line for the engine, and one for each module and each guest
//   start [NAME [SET [DROPPED]]]  starts a module, or changes what it does (oriel_module_change_NAME); loads it where
//                                 it is not loaded. Without a name: all that wait (ORIEL_PAUSED)
//   set NAME SET [DROPPED]        the same for a module that runs. Both may answer with a "note": what of that the
//                                 runtime leaves out
//   stop [NAME]                   stops a module; without a name: all
//   flush [NAME]                  what has happened is in the file
//   rotate [NAME]                 ends the file and begins the next
//   save [FILE]                   a flight recorder's log is saved; a line with the file's name
//   snapshot                      a snapshot of the heap is in the log; a line about it
//   mark TEXT                     raises the event `mark`
//   load-module DESCRIPTION       as oriel_load
//   load-guest DESCRIPTION        as oriel_guest_add
//   attach MODULES [code]         begins anew where an attached engine has stayed, with modules as in ORIEL_PROFILERS
//   detach                        ends everything; the runtime has let go of an engine that a tool has attached
//   watch                         for that tool: an error if the engine could not begin; and a line for each message
//                                 since the last one
Answer execute(const Words& words);

// An attached engine leaves: what is being done is waited for, and from then on nothing is started or changed, until it
// begins anew.
void suspend_executing();
void resume_executing();

// From now on nothing is done any more: the process ends. Waits for what is being done, five seconds at most.
void stop_executing();

}  // namespace oriel::control
