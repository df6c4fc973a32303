// Listens to the program's own event source, with the sessions of its number. When the runtime shuts down, prints for
// each event how often it came and the sum of its numbers.
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "guest.h"

namespace {

constexpr uint32_t kMonitorEventPipe = 0x80;
constexpr uint64_t kAll = UINT64_MAX;
constexpr const clr::Wide* kSource = u"Guests-Events";

struct Asked {
  const clr::Wide* provider;
  uint64_t keywords;
  uint32_t level;
  const clr::Wide* filter = nullptr;
};

// The filter arguments for the runtime's own sources of meters and activities.
constexpr const clr::Wide* kMeters = u"SessionId=hearing;RefreshInterval=1;Metrics=System.Runtime";
constexpr const clr::Wide* kActivities = u"FilterAndPayloadSpecs=\"[AS]*\"";

// Its sessions, by its number. The seventh adds the source to its session when the source is created.
const std::vector<Asked> kSessions[] = {
    {},
    {{kSource, 1, 4}},
    {{kSource, kAll, 5}},
    {{kSource, 2, 5}, {kSource, kAll, 4}},
    {{kSource, 0, 5}},
    {{kSource, kAll, 5}},
    {{u"*", kAll, 5}},
    {{u"Guests-Other", kAll, 5}},
    {{u"System.Diagnostics.Metrics", 2, 4, kMeters}},
    {{u"Microsoft-Diagnostics-DiagnosticSource", 2, 4, kActivities}},
};
constexpr unsigned kWithoutTheBit = 5, kAdding = 7;

class Hearing final : public Guest {
 public:
  using Guest::Guest;

  clr::HRESULT start() override {
    clr::HRESULT result = info_->SetEventMask2(0, number_ == kWithoutTheBit ? 0 : kMonitorEventPipe);
    for (const Asked& asked : kSessions[number_]) {
      clr::EventProvider provider = {asked.provider, asked.keywords, asked.level, asked.filter};
      if (result >= 0) result = info_->EventPipeStartSession(1, &provider, 0, &session_);
    }
    return result;
  }

  clr::HRESULT EventPipeProviderCreated(clr::Id provider) override {
    if (number_ == kAdding && is_source(provider))
      info_->EventPipeAddProviderToSession(session_, {kSource, kAll, 5, nullptr});
    return clr::S_OK;
  }

  clr::HRESULT EventPipeEventDelivered(clr::Id provider, uint32_t event, uint32_t, uint32_t, const uint8_t*,
                                       uint32_t size, const uint8_t* fields, const clr::GUID*, const clr::GUID*,
                                       clr::Id, uint32_t, clr::Id*) override {
    uint32_t number = 0;
    if (!is_source(provider) || event == 0 || event > 4 || size < sizeof number) return clr::S_OK;
    std::memcpy(&number, fields, sizeof number);
    const std::lock_guard guard(lock_);
    auto& [times, sum] = heard_[event];
    ++times;
    sum += number;
    return clr::S_OK;
  }

  clr::HRESULT Shutdown() override {
    const std::lock_guard guard(lock_);
    for (const auto& [event, heard] : heard_)
      std::printf("%u event %u: %lu, sum %lu\n", number_, event, heard.first, heard.second);
    std::fflush(stdout);
    return clr::S_OK;
  }

 private:
  bool is_source(clr::Id provider) {
    clr::Wide name[64] = {};
    uint32_t length = 0;
    if (info_->EventPipeGetProviderInfo(provider, 64, &length, name) < 0) return false;
    return std::u16string(name) == kSource;
  }

  uint64_t session_ = 0;
  std::mutex lock_;
  std::map<uint32_t, std::pair<unsigned long, unsigned long>> heard_;
};

}  // namespace

Guest* make_guest(Number number) { return new Hearing(number); }
