// The web page as a file: with as much of the log's trees as a file of some megabytes has room for.
#include <ostream>

#include "exports/export.h"
#include "exports/page_html.h"

namespace oriel::exports {
namespace {

// Of a tree's JSON; a number takes some three bytes. A weight of a two-thousandth of all has all its parts.
constexpr uint64_t kMostNumbers = 600'000, kMostParts = uint64_t{2'000} * kPartsOfRun;

Status write_html(const profile::Profile& profile, const Options& options, std::ostream& out) {
  const Result<PageTrees> page = page_trees(profile, options);
  if (!page) return page.status();
  const profile::Parts run = profile::parts_of_run(profile, kPartsOfRun);
  PageContent content;
  for (size_t i = 0; i < page->trees.size(); ++i) {
    const WeightTree& one = page->trees[i];
    const bool has_times = one.sampled.has_times();
    Bounded part = bounded(one.tree, page->smaller, kMostNumbers);
    if (has_times) add_parts(profile, one.sampled, part.places, run, part.tree);
    bound_parts(part.tree, kMostParts);
    if (part.folded > 0) content.folded.push_back({i, part.least, part.folded});
    for (const PageNode& node : part.tree.nodes) content.frames.insert(node.frame);
    content.trees.push_back(to_json(part.tree, has_times));
  }
  content.trees.insert(content.trees.end(), page->of_heap.begin(), page->of_heap.end());
  write_page(profile, options, *page, std::move(content), out);
  return Status::ok();
}

}  // namespace

extern const Export kHtmlExport = {
    .name = "html",
    .description = "a page for the browser: summary, flame graph of all weights, who holds the heap",
    .extension = ".html",
    .all_weights = true,
    .write = write_html,
};

}  // namespace oriel::exports
