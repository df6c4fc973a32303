#include "runtimes/coreclr/guests/bodies/compose_version.h"

#include <utility>
#include <vector>

#include "runtimes/coreclr/guests/bodies/announce_compilation.h"
#include "runtimes/coreclr/guests/bodies/captured_version.h"
#include "runtimes/coreclr/guests/bodies/checked_body.h"
#include "runtimes/coreclr/guests/bodies/validate_changes.h"
#include "runtimes/coreclr/instrument/sites.h"
#include "runtimes/coreclr/rejit_base.h"

namespace oriel::coreclr {
namespace {

// The version while it is composed. Guests' bodies are kept until the runtime has the result.
class Version {
 public:
  Version(GuestHost& guest_host, const MethodKey& key)
      : guest_host_(guest_host),
        key_(key),
        base_(guest_host.bodies.shown(key).value_or(std::span<const uint8_t>())),
        so_far_(key, base_) {}

  // Asks for the guest's change, based on the body so far.
  void ask(Guest& guest) {
    versions_.emplace_back(new CapturedVersion);
    CapturedVersion& version = *versions_.back().get();
    const std::span<const uint8_t> before = so_far_.body();
    const HResult result =
        guest.call<CallbackSlot::kGetReJITParameters>(key_.module, key_.token, static_cast<void*>(&version));
    version.close();
    if (failed(result)) {
      guest.call<CallbackSlot::kReJITError>(key_.module, key_.token, FunctionID{0}, result);
      return;
    }
    // The guest may also have set a new default body; the version is based on it from now on.
    const bool made_default = version.body().empty() && so_far_.body().data() != before.data();
    if (version.body().empty() && !made_default) {
      flags_ |= version.flags();
      if (guest.is_oriel()) map_of_default_ = &version.map();
      return;
    }
    if (!made_default) so_far_.set(version.body());
    const MadeBody made = {&guest, so_far_.body()};
    if (!guest.is_oriel() && !is_sound(before, made)) return so_far_.set(before);
    flags_ |= version.flags();
    made_.push_back(made);
    maps_.push_back(&version.map());
  }

  void give_to(FunctionControl& control) {
    if (flags_ != 0) control.SetCodegenFlags(flags_);
    std::vector<IlMapEntry> map = guest_host_.il_maps.of_guests(key_);
    if (made_.empty()) {
      // The version has the default body, but not its map.
      if (map_of_default_ != nullptr) map = compose(map, *map_of_default_);
      return set_map(control, map);
    }
    for (size_t i = 0; i < made_.size(); ++i) {
      map = compose(map, *maps_[i]);
      guest_host_.changed.note(*made_[i].guest, key_);
    }
    control.SetILFunctionBody(static_cast<uint32_t>(so_far_.body().size()), so_far_.body().data());
    set_map(control, map);
  }

  // Bodies that other guests were shown must stay alive.
  void keep_shown() {
    if (so_far_.was_shown()) guest_host_.shown_versions.keep(key_.module, std::move(versions_));
  }

 private:
  static void set_map(FunctionControl& control, std::vector<IlMapEntry>& map) {
    if (!map.empty()) control.SetILInstrumentedCodeMap(static_cast<uint32_t>(map.size()), map.data());
  }

  // Whether the runtime could compile it. If not, this is reported, and later guests continue from the previous body.
  bool is_sound(std::span<const uint8_t> before, const MadeBody& made) {
    ProfilerInfo& runtime = *guest_host_.runtime;
    return count_valid(runtime, key_, before.empty() ? body_of(runtime, key_) : before, {&made, 1}) == 1;
  }

  GuestHost& guest_host_;
  const MethodKey key_;
  const std::span<const uint8_t> base_;  // empty: the metadata's body
  RejitBase so_far_;
  std::vector<ComPtr<CapturedVersion>> versions_;
  std::vector<MadeBody> made_;
  std::vector<const std::vector<IlMapEntry>*> maps_;         // one for each of these
  const std::vector<IlMapEntry>* map_of_default_ = nullptr;  // Oriel's, if it changes nothing beyond the default body
  uint32_t flags_ = 0;
};

void compose_layers(GuestHost& guest_host, uint32_t asked, const MethodKey& key, FunctionControl& control) {
  Version version(guest_host, key);
  const std::span<Guest* const> guests = guest_host.guests();
  for (Guest* guest : guests)
    if (!guest->is_oriel() && (asked & guest->bit()) != 0) version.ask(*guest);
  // Oriel is always asked, because its probes may be in methods that are recompiled for others.
  for (Guest* guest : guests)
    if (guest->is_oriel()) version.ask(*guest);
  version.give_to(control);
  version.keep_shown();
}

}  // namespace

void compose_version(GuestHost& guest_host, uint32_t asked, const MethodKey& key, FunctionControl& control) {
  const MethodTurns::Turn turn(guest_host.turns, key);
  announce_compilation(guest_host, asked, key);
  validate_changes(guest_host, key);
  compose_layers(guest_host, asked, key, control);
  // A guest that was asked may have set a new default body.
  validate_changes(guest_host, key);
}

}  // namespace oriel::coreclr
