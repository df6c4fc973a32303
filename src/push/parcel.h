// What is sent at once: one request's body, and what the server is told with it.
#pragma once

#include <span>
#include <string>

#include "base/status.h"
#include "exports/pprof_profile.h"
#include "push/labels.h"
#include "push/server.h"

namespace oriel::push {

struct Parcel {
  std::string url;  // of the server, without the query
  std::string query;
  std::string content_type;
  std::string content_encoding;  // "": none
  std::string body;
};

// For `POST /ingest` of Pyroscope: the profile as a file of pprof, its time, rate and labels in the query. Characters
// that the server takes in no name or label become '_'. Errors: the profile is too large, no memory.
Result<Parcel> pyroscope_parcel(const Server& server, const Identity& identity, const pprof::Profile& profile);

// For OTLP over HTTP: all profiles in one request, gzipped. Of a profile with samples and their time, the samples are
// sent, and the period says the time. Errors likewise.
Result<Parcel> otlp_parcel(const Server& server, const Identity& identity, std::span<const pprof::Profile> profiles);

}  // namespace oriel::push
