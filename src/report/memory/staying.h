// What stays in the heap, in words.
#pragma once

#include <string>
#include <vector>

#include "profile/memory/staying.h"
#include "report/words/json.h"
#include "report/words/shown_place.h"

namespace oriel::report {

struct ShownStaying {
  profile::Staying figures;
  std::string type;
  ShownPlace at;
};

// Most bytes first; lines of source are one place.
std::vector<ShownStaying> shown_staying(const profile::Profile& profile, const Options& options);

Json staying_json(const ShownStaying& staying, const profile::Profile& profile);

// What it is that makes a heap grow which does: " What grows stays: 190 MB of Shop.Session allocated in
// Shop.Sessions.Open(string) (Sessions.cs:41) were still there after up to 4 full collections." and what keeps it, if
// that is known. "" where the log does not tell, or too little stays to say.
std::string staying_sentence(const profile::Profile& profile);
// Whether it is own code's to take out: own code made most of it, or registers it with what grows;
// not where that is a set, which mostly is what a program has seen so far.
bool is_own_to_take_out(const profile::Profile& profile);

}  // namespace oriel::report
