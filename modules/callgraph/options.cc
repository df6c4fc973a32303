#include "options.h"

#include <string_view>

#include "module/process_info.h"

namespace oriel::callgraph {
namespace {

Status set_option(std::string_view key, std::string_view value, bool has_value, Options& options) {
  if (key == "calls") {
    auto parsed = MethodPatterns::parse(value);
    if (!parsed) return Status::error("callgraph: " + parsed.message());
    options.calls = std::move(*parsed);
    return Status::ok();
  }
  if (key == "alloc") {
    if (has_value) return Status::error("callgraph: alloc takes no value; it counts every object");
    options.allocations = true;
    return Status::ok();
  }
  if (key == "inlining") {
    if (value != "keep" && value != "block")
      return Status::error("callgraph: inlining=" + std::string(value) + " is unknown; use keep or block");
    options.block_inlining = value == "block";
    return Status::ok();
  }
  return Status::error("callgraph: unknown argument '" + std::string(key) + "'; known: calls, alloc, inlining, out");
}

}  // namespace

Result<Options> parse_options(const std::string& args) {
  Options options;
  std::string_view rest = args;
  std::string_view out = "%n-%p.callgraph.oriel";
  while (!rest.empty()) {
    if (rest.substr(0, 4) == "out=") {
      out = rest.substr(4);
      break;
    }
    const size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    if (item.empty()) continue;
    const size_t equals = item.find('=');
    const bool has_value = equals != std::string_view::npos;
    const std::string_view value = has_value ? item.substr(equals + 1) : std::string_view{};
    if (Status status = set_option(item.substr(0, equals), value, has_value, options); !status) return status;
  }
  if (out.empty()) return Status::error("callgraph: out= names no file");
  options.out = modules::expand_for_process(out);
  return options;
}

}  // namespace oriel::callgraph
