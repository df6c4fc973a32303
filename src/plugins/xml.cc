#include "plugins/xml.h"

#include <expat.h>

#include <memory>

#include "base/text/trimmed.h"

namespace oriel::plugins {
namespace {

constexpr size_t kMostDepth = 16;

struct Reading {
  XML_Parser parser;
  XmlSink& sink;
  std::vector<std::string> path;
  std::string text;
  Status fault = Status::ok();

  void check(const Status& status) {
    if (status || !fault) return;
    fault = status;
    XML_StopParser(parser, XML_FALSE);
  }
};

void begin(void* data, const char* name, const char** attributes) {
  auto& reading = *static_cast<Reading*>(data);
  reading.path.emplace_back(name);
  reading.text.clear();
  if (reading.path.size() > kMostDepth) return reading.check(Status::error("elements are nested too deep"));
  XmlAttributes all;
  for (; attributes[0] != nullptr; attributes += 2) all[attributes[0]] = attributes[1];
  reading.check(reading.sink.begin(reading.path, all));
}

void end(void* data, const char*) {
  auto& reading = *static_cast<Reading*>(data);
  reading.check(reading.sink.end(reading.path, std::string(trimmed(reading.text))));
  reading.text.clear();
  reading.path.pop_back();
}

void characters(void* data, const char* text, int size) {
  static_cast<Reading*>(data)->text.append(text, static_cast<size_t>(size));
}

}  // namespace

Status read_xml(std::string_view xml, XmlSink& sink) {
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate(nullptr), XML_ParserFree);
  if (!parser) return Status::error("there is no memory for it");
  Reading reading{parser.get(), sink, {}, {}};
  XML_SetUserData(parser.get(), &reading);
  XML_SetElementHandler(parser.get(), begin, end);
  XML_SetCharacterDataHandler(parser.get(), characters);
  const XML_Status parsed = XML_Parse(parser.get(), xml.data(), static_cast<int>(xml.size()), 1);
  const std::string line = "line " + std::to_string(XML_GetCurrentLineNumber(parser.get())) + ": ";
  if (!reading.fault) return Status::error(line + reading.fault.message());
  return parsed == XML_STATUS_OK ? Status::ok() : Status::error(line + XML_ErrorString(XML_GetErrorCode(parser.get())));
}

}  // namespace oriel::plugins
