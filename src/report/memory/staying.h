// Texts about objects that stay in the heap.
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

// By bytes, descending; positions in one source line are merged.
std::vector<ShownStaying> shown_staying(const profile::Profile& profile, const Options& options);

// What is followed: "Each object of Shop.Order is followed.", or from how many samples the figures are estimated.
std::string followed_sentence(const profile::Profile& profile);

Json staying_json(const ShownStaying& staying, const profile::Profile& profile);

// The objects that make a heap grow: " What grows stays: 190 MB of Shop.Session allocated in Shop.Sessions.Open(string)
// (Sessions.cs:41) were still there after up to 4 full collections.", and what retains them, if known. "" if not
// logged, or there are too few samples.
std::string staying_sentence(const profile::Profile& profile);
// Whether own code can release what stays: it allocated most of it, or registers it with the holder. False if that is a
// set, which usually is what a program has seen so far.
bool is_own_to_take_out(const profile::Profile& profile);

}  // namespace oriel::report
