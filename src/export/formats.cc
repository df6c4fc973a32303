// The tables of formats and weights: names, descriptions, extensions.
#include <array>
#include <string>

#include "export/export.h"

namespace oriel::exporting {
namespace {

constexpr std::array<FormatInfo, 4> kFormats = {{
    {Format::kCollapsed, "collapsed", "one line a stack, root;…;leaf and its count, for flamegraph.pl and scripts",
     ".collapsed", false},
    {Format::kSpeedscope, "speedscope", "JSON for speedscope, one profile a thread", ".speedscope.json", false},
    {Format::kPprof, "pprof", "gzipped protobuf for `go tool pprof` and what else reads it", ".pb.gz", true},
    {Format::kHtml, "html", "a flame graph in one web page that needs no network", ".html", false},
}};

constexpr std::array<WeightInfo, 4> kWeights = {{
    {profile::Weight::kSamples, "samples", "sampled time"},
    {profile::Weight::kCallsTime, "calls-time", "time of the logged calls (oriel run --calls)"},
    {profile::Weight::kBytes, "bytes", "bytes allocated, the type below the method (oriel run --alloc)"},
    {profile::Weight::kObjects, "objects", "objects allocated, likewise"},
}};

}  // namespace

std::span<const FormatInfo> formats() { return kFormats; }

const FormatInfo& describe(Format format) { return kFormats[static_cast<size_t>(format)]; }

Result<Format> parse_format(std::string_view name) {
  std::string names;
  for (const FormatInfo& info : kFormats) {
    if (name == info.name) return info.format;
    names += names.empty() ? "" : ", ";
    names += info.name;
  }
  return Status::error("there is no format \"" + std::string(name) + "\"; choose one of " + names);
}

std::span<const WeightInfo> weights() { return kWeights; }

Result<profile::Weight> parse_weight(std::string_view name) {
  std::string names;
  for (const WeightInfo& info : kWeights) {
    if (name == info.name) return info.weight;
    names += names.empty() ? "" : ", ";
    names += info.name;
  }
  return Status::error("there is no weight \"" + std::string(name) + "\"; choose one of " + names);
}

}  // namespace oriel::exporting
