// Time by category, each split into methods, the methods on whose behalf it was done, or threads.
#include <algorithm>
#include <map>
#include <tuple>

#include "profile/hashed_rows.h"
#include "profile/work/purpose.h"
#include "report/shares.h"
#include "report/words/function_name.h"
#include "report/words/json.h"
#include "report/words/notes.h"
#include "report/words/shown_line.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Category;
using profile::Profile;

namespace {

constexpr size_t kShareParts = 5;  // per share

// The most informative split of a share.
enum class Split {
  kIn,   // by function: managed methods including their native callees, native ones by themselves
  kFor,  // by the managed method on whose behalf the runtime or kernel worked
  kOn,   // by thread
};

Split split_of(Category category) {
  switch (category) {
    case Category::kJit:
    case Category::kTiering:
    case Category::kGc:
    case Category::kSuspension:
      return Split::kOn;
    case Category::kPgo:
    case Category::kTypes:
    case Category::kLookups:
    case Category::kLocks:
    case Category::kCasts:
    case Category::kStubs:
    case Category::kAllocation:
    case Category::kExceptions:
    case Category::kWaiting:
    case Category::kKernel:
    case Category::kRuntime:
      return Split::kFor;
    default:
      return Split::kIn;
  }
}

struct Part {
  Split split = Split::kIn;
  uint32_t function = 0;  // for kIn and kFor
  std::string text;       // for kOn: thread; preceded for the JIT by the kind of compilation, for GC by the phase
  uint64_t periods = 0;

  auto key() const { return std::tuple(split, function, text); }
};

struct SplitShare {
  Category category = Category::kUnknown;
  std::string name;
  uint64_t periods = 0;
  std::vector<Part> parts;
};

template <typename Row>
void most_first(std::vector<Row>& rows) {
  std::ranges::stable_sort(rows, std::greater<>(), &Row::periods);
}

class Splitter {
 public:
  explicit Splitter(const Profile& profile) : profile_(profile), purposes_(profile::purposes(profile)) {
    asking_.resize(profile.nodes.size());
    for (size_t i = 1; i < asking_.size(); ++i) {
      const profile::Node& node = profile.nodes[i];
      const bool asks =
          profile.functions[node.function].managed && !is_work(purposes_.all[purposes_.of_node[i]].category);
      asking_[i] = asks ? node.function : asking_[node.parent];
    }
  }

  std::vector<SplitShare> all() const {
    std::map<std::string, SplitShare> shares;
    std::map<std::string, std::map<decltype(Part().key()), Part>> parts;
    const profile::HashedRows<Alike> sums = add_up();
    for (uint32_t i = 0; i < sums.size(); ++i) {
      const Alike& sum = sums[i];
      const profile::Share& share = purposes_.all[sum.purpose];
      const std::string name = share_name(share);
      shares[name].category = share.category;
      shares[name].periods += sum.periods;
      Part part = part_of(sum, share);
      parts[name].try_emplace(part.key(), std::move(part)).first->second.periods += sum.periods;
    }
    std::vector<SplitShare> result;
    for (auto& [name, share] : shares) {
      share.name = name;
      for (auto& [key, part] : parts[name]) share.parts.push_back(std::move(part));
      most_first(share.parts);
      result.push_back(std::move(share));
    }
    most_first(result);
    return result;
  }

 private:
  // The key of a row: samples in one part of a share.
  struct Alike {
    uint32_t purpose = 0;  // index into Purposes::all
    Split split = Split::kIn;
    uint32_t of = 0;  // function, or thread for kOn
    uint64_t periods = 0;
    uint64_t hash() const { return profile::mix(uint64_t{purpose} << 32 | static_cast<uint32_t>(split), of); }
    bool same(const Alike& other) const { return purpose == other.purpose && split == other.split && of == other.of; }
  };

  // Sums first and names rows later: a log has tens of millions of samples, but few rows.
  profile::HashedRows<Alike> add_up() const {
    profile::HashedRows<Alike> sums;
    for (size_t i = 0; i < profile_.samples.size(); ++i) {
      const profile::Sample& sample = profile_.samples[i];
      sums[sums.find_or_add(alike(sample, purposes_.of_sample[i]))].periods += sample.periods;
    }
    return sums;
  }

  Alike alike(const profile::Sample& sample, uint32_t purpose) const {
    const Category category = purposes_.all[purpose].category;
    const Split split = split_of(category);
    if (split == Split::kIn) return {purpose, split, working_function(sample.node, category), 0};
    if (split == Split::kFor && asking_[sample.node] != 0) return {purpose, split, asking_[sample.node], 0};
    return {purpose, Split::kOn, sample.thread, 0};
  }

  Part part_of(const Alike& samples, const profile::Share& share) const {
    if (samples.split != Split::kOn) return {samples.split, samples.of, "", 0};
    const std::string thread = thread_label(profile_.threads[samples.of]);
    const bool divided = share.category == Category::kJit || (share.category == Category::kGc && !share.name.empty());
    return {Split::kOn, 0, divided ? share.name + ", on " + thread : "on " + thread, 0};
  }

  uint32_t working_function(uint32_t node, Category category) const {
    const bool managed = category == Category::kOwn || category == Category::kPackage ||
                         category == Category::kFramework || category == Category::kGenerated;
    return managed && asking_[node] != 0 ? asking_[node] : profile_.nodes[node].function;
  }

  const Profile& profile_;
  profile::Purposes purposes_;
  std::vector<uint32_t> asking_;  // by node: the innermost managed method that is not runtime work itself
};

using Lines = std::map<uint32_t, ShownLine>;

std::string part_text(const Part& part, const Profile& profile, const Lines& lines, size_t width) {
  if (part.split == Split::kOn) return cut_end("  " + part.text, width);
  const std::string before = part.split == Split::kFor ? "  for " : "  ";
  return before + fit_at_line(profile.functions[part.function],
                              part.split == Split::kIn ? text_of(lines, part.function) : "", width - before.size());
}

const char* others_text(const SplitShare& share, uint64_t left) {
  const bool threads = split_of(share.category) == Split::kOn;
  if (threads) return left == 1 ? "other thread" : "other threads";
  return left == 1 ? "other method" : "other methods";
}

void add_share(const SplitShare& share, const Profile& profile, const Lines& lines, const Options& options,
               Table& table) {
  const uint64_t whole = share.category == Category::kOriel ? 0 : profile::program_periods(profile);
  const auto figures = [&](uint64_t periods) {
    return std::vector<std::string>{whole == 0 ? "" : percent(periods, whole), time_of(periods, profile),
                                    count(periods)};
  };
  const auto cut = [](const std::string& text) { return [text](size_t width) { return cut_end(text, width); }; };
  if (!table.empty()) table.add({}, cut(""));
  table.add(figures(share.periods), cut(share.name), report::share(share.periods, whole));
  uint64_t left = share.periods;
  const size_t shown = std::min(share.parts.size(), rows(options, kShareParts));
  for (size_t i = 0; i < shown; ++i) {
    const Part& part = share.parts[i];
    table.add(figures(part.periods), [&](size_t width) { return part_text(part, profile, lines, width); });
    left -= part.periods;
  }
  const size_t others = share.parts.size() - shown;
  if (others > 0) table.add(figures(left), cut("  " + count(others) + " " + others_text(share, others)));
}

void write_shares(const Profile& profile, const Options& options, std::ostream& out) {
  const uint64_t whole = profile.total_periods();
  write_title("Where the time of " + counted(whole, "sample", "samples") + " went", profile, options, out);
  if (whole == 0) return write_note(why_no_samples(profile), options, out);
  const std::vector<SplitShare> shares = Splitter(profile).all();
  const Lines lines = hottest_own_lines(profile, options);
  Table table({{"share"}, {"time"}, {"samples"}}, "spent in");
  for (const SplitShare& share : shares) add_share(share, profile, lines, options, table);
  table.write(out, options.width, 0, Style(options.color));
  if (const uint64_t of_oriel = whole - profile::program_periods(profile); of_oriel > 0)
    write_note(
        "Shares are of the program's own time, excluding " + counted(of_oriel, "sample in Oriel.", "samples in Oriel."),
        options, out);
}

Json part_json(const Part& part, const Profile& profile, const Lines& lines, uint64_t whole) {
  constexpr const char* kKinds[] = {"in", "for", "on"};
  Json json = {{"kind", kKinds[static_cast<size_t>(part.split)]}};
  json["samples"] = part.periods;
  json["share"] = share(part.periods, whole);
  if (part.split == Split::kOn) {
    json["name"] = part.text;
  } else {
    add_function(json, profile.functions[part.function]);
  }
  if (part.split == Split::kIn) add_line(lines, part.function, json);
  return json;
}

void all_shares_json(const Profile& profile, const Options& options, Json& json) {
  const uint64_t all = profile.total_periods();
  const uint64_t program = profile::program_periods(profile);
  json["samples"] = all;
  json["hz"] = profile.sampling_hz;
  Json& list = json["shares"] = Json::array();
  if (all == 0) json["note"] = why_no_samples(profile);
  const Lines lines = hottest_own_lines(profile, options);
  for (const SplitShare& split : Splitter(profile).all()) {
    const uint64_t whole = split.category == Category::kOriel ? all : program;
    Json row = {{"category", category_key(split.category)},
                {"name", split.name},
                {"samples", split.periods},
                {"share", share(split.periods, whole)}};
    row["parts"] = Json::array();
    for (const Part& part : split.parts) {
      if (options.limit != 0 && row["parts"].size() == options.limit) break;
      row["parts"].push_back(part_json(part, profile, lines, whole));
    }
    list.push_back(std::move(row));
  }
}

}  // namespace

extern const Report kSharesReport = {
    .name = "shares",
    .help = "where the time went, each part with its methods or threads",
    .text = write_shares,
    .json = all_shares_json,
};

}  // namespace oriel::report
