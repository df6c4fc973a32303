#include "profile/waiting/async.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace oriel::profile {
namespace {

template <typename Row, typename Key>
std::vector<Row> longest_first(std::map<Key, Row>& rows) {
  std::vector<Row> all;
  for (auto& [key, row] : rows) all.push_back(row);
  std::ranges::stable_sort(all, std::greater<>(), &Row::ns);
  return all;
}

int64_t length(const Profile& profile, int64_t start_ns, int64_t end_ns) {
  return std::max<int64_t>((end_ns < 0 ? profile.wall_ns : end_ns) - start_ns, 0);
}

}  // namespace

std::vector<AsyncMethod> async_methods(const Profile& profile) {
  std::map<uint32_t, AsyncMethod> methods;
  for (const AsyncCall& call : profile.async_calls) {
    if (call.function == 0) continue;
    AsyncMethod& method = methods[call.function];
    method.function = call.function;
    ++method.calls;
    if (call.exception != 0) ++(call.is_cancelled ? method.cancelled : method.failed);
    if (call.end_ns < 0) ++method.open;
    method.ran_ns += call.ran_ns;
    if (call.start_ns < 0) continue;
    ++method.timed;
    const int64_t ns = length(profile, call.start_ns, call.end_ns);
    method.ns += ns;
    method.longest_ns = std::max(method.longest_ns, ns);
  }
  for (const AsyncWait& wait : profile.async_waits) {
    const uint32_t function = profile.async_calls[wait.call].function;
    if (function != 0) methods[function].awaited_ns += length(profile, wait.start_ns, wait.end_ns);
  }
  return longest_first(methods);
}

std::vector<AwaitPlace> await_places(const Profile& profile) {
  std::map<std::pair<uint32_t, Position>, AwaitPlace> places;
  for (const AsyncWait& wait : profile.async_waits) {
    const Node& node = profile.nodes[wait.node];
    AwaitPlace& place = places[{node.function, profile.places.positions[node.position]}];
    const int64_t ns = length(profile, wait.start_ns, wait.end_ns);
    ++place.times;
    place.ns += ns;
    if (wait.end_ns < 0) ++place.open;
    place.of_calls |= wait.of_call;
    if (place.node == 0 || ns > place.longest_ns) place.node = wait.node;
    place.longest_ns = std::max(place.longest_ns, ns);
  }
  return longest_first(places);
}

InFlight in_flight(const Profile& profile, uint32_t parts) {
  std::vector<bool> waited(profile.async_calls.size());
  for (const AsyncWait& wait : profile.async_waits) waited[wait.call] = true;
  std::vector<std::pair<int64_t, int>> changes;
  for (size_t i = 0; i < profile.async_calls.size(); ++i) {
    const AsyncCall& call = profile.async_calls[i];
    if (!waited[i] || call.function == 0) continue;
    changes.emplace_back(std::max<int64_t>(call.start_ns, 0), 1);
    if (call.end_ns >= 0) changes.emplace_back(call.end_ns, -1);
  }
  std::ranges::sort(changes);
  InFlight flight;
  const int64_t each = std::max<int64_t>(profile.wall_ns / parts, 1) + 1;
  uint32_t& now = flight.at_end;
  size_t at = 0;
  for (uint32_t part = 0; part < parts; ++part) {
    uint32_t most = now;
    for (; at < changes.size() && (changes[at].first < each * (part + 1) || part + 1 == parts); ++at) {
      now += static_cast<uint32_t>(changes[at].second);
      most = std::max(most, now);
    }
    flight.most.push_back(most);
  }
  return flight;
}

}  // namespace oriel::profile
