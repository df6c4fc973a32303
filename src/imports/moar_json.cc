// MoarVM's profiles as JSON: an array of what ids are, then an object for each thread. It is read as a stream of
// values, whose members may come in any order. Calls nest as deep as the program's did, so nothing here recurses.
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "imports/moar_profile.h"

namespace oriel::imports {
namespace {

using Json = nlohmann::json;

// Members of objects, and where their numbers go.
template <typename Row>
struct MoarMember {
  std::string_view key;
  uint64_t Row::*to;
};
constexpr MoarMember<MoarCalls> kCallsMembers[] = {{"id", &MoarCalls::routine},
                                                   {"entries", &MoarCalls::entries},
                                                   {"spesh_entries", &MoarCalls::specialized},
                                                   {"specialized_entries", &MoarCalls::specialized},
                                                   {"jit_entries", &MoarCalls::compiled},
                                                   {"inlined_entries", &MoarCalls::inlined},
                                                   {"osr", &MoarCalls::replaced},
                                                   {"deopt_one", &MoarCalls::deoptimized},
                                                   {"deopt_all", &MoarCalls::deoptimized_all},
                                                   {"inclusive_time", &MoarCalls::inclusive},
                                                   {"exclusive_time", &MoarCalls::exclusive}};
constexpr MoarMember<MoarAllocation> kAllocationMembers[] = {
    {"id", &MoarAllocation::type}, {"count", &MoarAllocation::count}, {"replaced", &MoarAllocation::avoided}};
constexpr MoarMember<MoarThread> kThreadMembers[] = {
    {"thread", &MoarThread::id}, {"start_time", &MoarThread::start}, {"total_time", &MoarThread::total}};
constexpr MoarMember<MoarGc> kGcMembers[] = {
    {"time", &MoarGc::took},           {"start_time", &MoarGc::start},        {"sequence", &MoarGc::number},
    {"retained_bytes", &MoarGc::kept}, {"promoted_bytes", &MoarGc::promoted}, {"cleared_bytes", &MoarGc::freed},
    {"gen2_roots", &MoarGc::roots}};

template <typename Row, size_t Count>
bool set_member(const MoarMember<Row> (&members)[Count], std::string_view key, uint64_t value, Row& row) {
  for (const MoarMember<Row>& member : members)
    if (member.key == key) return row.*member.to = value, true;
  return false;
}

std::optional<uint64_t> moar_number(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class MoarReader : public nlohmann::json_sax<Json> {
 public:
  explicit MoarReader(MoarProfile& profile) : profile_(profile) {}
  const std::string& problem() const { return problem_; }

  bool null() override { return true; }
  bool boolean(bool value) override { return take(value ? 1 : 0); }
  bool number_integer(number_integer_t value) override { return value < 0 || take(static_cast<uint64_t>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return take(value); }
  bool number_float(number_float_t value, const string_t&) override {
    return !(value >= 0 && value < 1e15) || take(static_cast<uint64_t>(value));
  }
  bool binary(binary_t&) override { return true; }
  bool key(string_t& value) override {
    if (unknown_ == 0) key_ = std::move(value);
    return true;
  }
  // Numbers are strings where another thread counted.
  bool string(string_t& value) override {
    if (unknown_ > 0) return true;
    const bool is_name = where_ == Where::kThing && (key_ == "name" || key_ == "file" || key_ == "typename");
    if (where_ == Where::kIds) {
      if (const auto id = moar_number(key_)) profile_.types[*id].name = std::move(value);
    } else if (is_name) {
      (key_ == "file" ? thing_.file : thing_.name) = std::move(value);
      is_type_ = is_type_ || key_ == "typename";
    } else if (const auto number = moar_number(value)) {
      return take(*number);
    }
    return true;
  }
  bool start_object(size_t) override { return open(false); }
  bool end_object() override { return close(); }
  bool start_array(size_t) override { return open(true); }
  bool end_array() override { return close(); }
  bool parse_error(size_t position, const std::string&, const Json::exception&) override {
    problem_ = "it is no JSON from byte " + std::to_string(position) + " on";
    return false;
  }

 private:
  enum class Where : uint8_t { kStart, kFile, kIds, kThing, kThread, kGcs, kGc, kCalls, kCallees, kAllocations, kOne };

  bool take(uint64_t told) {
    if (unknown_ > 0) return true;
    const uint64_t value = std::min(told, is_id() ? UINT64_MAX : kMostMoar);
    switch (where_) {
      case Where::kThing:
        if (key_ == "line") thing_.line = value;
        if (key_ == "managed_size") bytes_ = value, is_type_ = true;
        return true;
      case Where::kThread:
        if (key_ == "spesh_time" && value > 0) ++profile_.specializing;
        set_member(kThreadMembers, key_, value, profile_.threads.back());
        return true;
      case Where::kGc:
        if (key_ == "full") profile_.gcs.back().full = value != 0;
        if (key_ == "responsible") profile_.gcs.back().responsible = value != 0;
        set_member(kGcMembers, key_, value, profile_.gcs.back());
        return true;
      case Where::kCalls:
        if (key_ == "mono" || key_ == "poly" || key_ == "mega") ++profile_.dispatches;
        set_member(kCallsMembers, key_, value, profile_.calls[callers_.back()]);
        return true;
      case Where::kOne:
        set_member(kAllocationMembers, key_, value, profile_.allocations.back());
        return true;
      default:
        return true;
    }
  }
  bool is_id() const { return key_ == "id"; }

  std::optional<Where> below(bool array) const {
    const auto if_array = [&](Where where) { return array ? std::optional(where) : std::nullopt; };
    const auto if_object = [&](Where where) { return array ? std::nullopt : std::optional(where); };
    switch (where_) {
      case Where::kStart:
        return if_array(Where::kFile);
      case Where::kFile:
        return if_object(knows_ids_ ? Where::kThread : Where::kIds);
      case Where::kIds:
        return if_object(Where::kThing);
      case Where::kThread:
        if (key_ == "gcs") return if_array(Where::kGcs);
        return key_ == "call_graph" ? if_object(Where::kCalls) : std::nullopt;
      case Where::kGcs:
        return if_object(Where::kGc);
      case Where::kCalls:
        if (key_ == "callees") return if_array(Where::kCallees);
        return key_ == "allocations" ? if_array(Where::kAllocations) : std::nullopt;
      case Where::kCallees:
        return if_object(Where::kCalls);
      case Where::kAllocations:
        return if_object(Where::kOne);
      default:
        return std::nullopt;
    }
  }

  bool open(bool array) {
    const std::optional<Where> into = unknown_ > 0 ? std::nullopt : below(array);
    if (!into) {
      if (unknown_ == 1 && where_ == Where::kGc && key_ == "deallocs") ++profile_.freed;
      ++unknown_;
      return true;
    }
    open_.push_back(where_);
    where_ = *into;
    if (where_ == Where::kIds) knows_ids_ = true;
    if (where_ == Where::kThing) id_ = moar_number(key_), thing_ = {}, bytes_ = 0, is_type_ = false;
    if (where_ == Where::kThread) profile_.threads.emplace_back();
    if (where_ == Where::kGc) profile_.gcs.emplace_back();
    if (where_ == Where::kOne) profile_.allocations.push_back({callers_.back()});
    return where_ != Where::kCalls || open_calls();
  }

  bool open_calls() {
    if (callers_.size() >= kMostMoarDepth) {
      problem_ = "its calls nest more than " + std::to_string(kMostMoarDepth) + " deep";
      return false;
    }
    MoarCalls calls;
    calls.parent = callers_.empty() ? 0 : callers_.back() + 1;
    calls.thread = static_cast<uint32_t>(profile_.threads.size() - 1);
    callers_.push_back(static_cast<uint32_t>(profile_.calls.size()));
    profile_.calls.push_back(calls);
    return true;
  }

  bool close() {
    if (unknown_ > 0) {
      --unknown_;
      return true;
    }
    if (where_ == Where::kThing && id_) {
      if (is_type_)
        profile_.types[*id_] = {std::move(thing_.name), bytes_};
      else
        profile_.routines[*id_] = std::move(thing_);
    }
    if (where_ == Where::kCalls) callers_.pop_back();
    // A thread's number may come behind its collections.
    if (where_ == Where::kThread) {
      for (size_t i = first_gc_; i < profile_.gcs.size(); ++i) profile_.gcs[i].thread = profile_.threads.back().id;
      first_gc_ = profile_.gcs.size();
    }
    where_ = open_.back();
    open_.pop_back();
    return true;
  }

  MoarProfile& profile_;
  std::string problem_, key_;
  Where where_ = Where::kStart;
  std::vector<Where> open_;
  uint64_t unknown_ = 0;  // open values of which nothing is known
  bool knows_ids_ = false;
  std::optional<uint64_t> id_;
  MoarRoutine thing_;
  uint64_t bytes_ = 0;
  bool is_type_ = false;
  std::vector<uint32_t> callers_;  // open ones, as indices of calls
  size_t first_gc_ = 0;            // of the thread
};

}  // namespace

bool is_moar_json(std::string_view beginning) {
  constexpr std::string_view kBlanks = " \t\r\n";
  for (const char expected : {'[', '{', '"'}) {
    beginning.remove_prefix(std::min(beginning.find_first_not_of(kBlanks), beginning.size()));
    if (!beginning.starts_with(expected)) return false;
    beginning.remove_prefix(1);
  }
  const size_t end = beginning.find_first_not_of("0123456789");
  if (end == 0 || end == std::string_view::npos || beginning[end] != '"') return false;
  return beginning.find("\"line\"") != std::string_view::npos && beginning.find("\"file\"") != std::string_view::npos;
}

Status read_moar_json(std::string_view text, MoarProfile& profile) {
  MoarReader reader(profile);
  if (!Json::sax_parse(text.begin(), text.end(), &reader))
    return Status::error(reader.problem().empty() ? "it is no JSON" : reader.problem());
  return Status::ok();
}

}  // namespace oriel::imports
