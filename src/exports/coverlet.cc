// JSON as coverlet writes and merges it: module, file, class, method, then lines and branches.
#include <map>

#include "exports/coverage_export.h"
#include "exports/text.h"

namespace oriel::exports {
namespace {

using coverage::Coverage;

// Mono.Cecil's spelling of reflection's "Box`1+Shelf[System.Int32]": Box`1/Shelf<System.Int32>.
std::string spelled(const std::string& raw) {
  std::string text;
  for (size_t i = 0; i < raw.size(); ++i) {
    const char c = raw[i];
    const bool is_array = c == '[' && i + 1 < raw.size() && (raw[i + 1] == ']' || raw[i + 1] == ',');
    if (is_array) {
      const size_t end = raw.find(']', i);
      text += raw.substr(i, end == std::string::npos ? end : end - i + 1);
      i = end == std::string::npos ? raw.size() : end;
    } else {
      text += c == '+' ? '/' : c == '[' ? '<' : c == ']' ? '>' : c;
    }
  }
  return clean_text(text);
}

// One nesting level of the document: entries arrive in order, so each is opened once.
class Level {
 public:
  explicit Level(BufferedText& out) : out_(out) { out_ << '{'; }
  void key(const std::string& name) {
    out_ << (first_ ? "" : ",") << '\n' << json_string(name) << ": ";
    first_ = false;
  }
  void end() { out_ << '}'; }

 private:
  BufferedText& out_;
  bool first_ = true;
};

void write_method(const coverage::Method& method, uint32_t file, BufferedText& out) {
  out << "{\"Lines\": {";
  const char* separator = "";
  for (const coverage::Line& line : method.lines) {
    if (line.file != file) continue;
    out << separator << '"' << line.number << "\": " << line.count;
    separator = ", ";
  }
  out << "}, \"Branches\": [";
  separator = "";
  size_t ordinal = 0;
  for (const coverage::Branch& branch : method.branches) {
    for (size_t path = 0; branch.file == file && path < branch.arms.size(); ++path) {
      out << separator << "{\"Line\": " << branch.line << ", \"Offset\": " << branch.il
          << ", \"EndOffset\": " << branch.il << ", \"Path\": " << path << ", \"Ordinal\": " << ordinal++
          << ", \"Hits\": " << branch.arms[path] << '}';
      separator = ", ";
    }
  }
  out << "]}";
}

// By assembly, file and metadata class; a method's lines in one file are one entry.
using Entries = std::map<uint32_t, std::map<uint32_t, std::map<std::string, std::vector<uint32_t>>>>;

Entries entries_of(const Coverage& coverage) {
  Entries entries;
  for (uint32_t i = 0; i < coverage.methods.size(); ++i) {
    const coverage::Method& method = coverage.methods[i];
    for (const coverage::Line& line : method.lines) {
      auto& methods = entries[coverage.types[method.type].assembly][line.file][method.raw_type];
      if (methods.empty() || methods.back() != i) methods.push_back(i);
    }
  }
  return entries;
}

void write_coverlet(const Coverage& coverage, std::ostream& stream) {
  BufferedText out(stream);
  Level modules(out);
  for (const auto& [assembly, files] : entries_of(coverage)) {
    modules.key(clean_text(assembly_file(coverage.assemblies[assembly])));
    Level documents(out);
    for (const auto& [file, types] : files) {
      documents.key(clean_text(coverage.files[file].path));
      Level classes(out);
      for (const auto& [type, methods] : types) {
        classes.key(spelled(type));
        Level entries(out);
        for (const uint32_t index : methods) {
          const coverage::Method& method = coverage.methods[index];
          entries.key(spelled(method.raw_result) + " " + spelled(type) + "::" + clean_text(method.raw_name) + "(" +
                      spelled(method.raw_parameters) + ")");
          write_method(method, file, out);
        }
        entries.end();
      }
      classes.end();
    }
    documents.end();
  }
  modules.end();
  out << '\n';
}

}  // namespace

extern const CoverageExport kCoverletExport = {.name = "coverlet",
                                               .description = "coverlet's JSON, which coverlet can merge",
                                               .file = "coverage.json",
                                               .write = write_coverlet};

}  // namespace oriel::exports
