#include "fleet/log_parcels.h"

#include <algorithm>

#include "exports/pprof_profile.h"
#include "report/words/text.h"
#include "show/bearable.h"

namespace oriel::cli {
namespace {

using profile::Profile;
using profile::WeightKind;

const char* name_of(WeightKind weight) {
  return std::ranges::find(profile::weights(), weight, &profile::WeightInfo::weight)->name;
}

Result<std::vector<push::Parcel>> parcels_for(const push::Server& server, const push::Identity& identity,
                                              const std::vector<pprof::Profile>& profiles) {
  if (server.protocol == push::Protocol::kOtlp) {
    Result<push::Parcel> parcel = push::otlp_parcel(server, identity, profiles);
    if (!parcel) return parcel.status();
    return std::vector{std::move(*parcel)};
  }
  std::vector<push::Parcel> parcels;
  for (const pprof::Profile& profile : profiles) {
    Result<push::Parcel> parcel = push::pyroscope_parcel(server, identity, profile);
    if (!parcel) return parcel.status();
    parcels.push_back(std::move(*parcel));
  }
  return parcels;
}

}  // namespace

std::vector<WeightKind> usual_weights(const Profile& profile) {
  const WeightKind natural = profile::natural_weight(profile);
  if (natural == WeightKind::kSamples && profile::check_weight(WeightKind::kBytes, profile))
    return {natural, WeightKind::kBytes};
  return {natural};
}

Result<LogParcels> parcels_of(const Profile& profile, const std::vector<WeightKind>& weights,
                              const push::Server& server, const push::Identity& identity) {
  std::vector<pprof::Profile> made;
  LogParcels result;
  for (const WeightKind weight : weights) {
    if (const Status status = profile::check_weight(weight, profile); !status)
      return Status::error(report::clean(status.message()));
    const auto recursion = weight == WeightKind::kSamples ? profile::Recursion::kAsLogged : bearable_recursion(profile);
    const Result<Profile> weighed = profile::by_weight(weight, profile, recursion);
    if (!weighed) return weighed.status();
    if (weighed->total_periods() == 0) continue;
    if (Status status = bearable_length("pprof", "push a part of it, by thread or time", *weighed); !status)
      return status;
    Result<pprof::Profile> message = exports::make_pprof(*weighed);
    if (!message) return message.status();
    made.push_back(std::move(*message));
    result.contents += (result.contents.empty() ? "" : ", ") + std::string(name_of(weight));
  }
  if (made.empty()) return result;
  Result<std::vector<push::Parcel>> parcels = parcels_for(server, identity, made);
  if (!parcels) return parcels.status();
  result.parcels = std::move(*parcels);
  for (const push::Parcel& parcel : result.parcels) result.bytes += parcel.body.size();
  return result;
}

}  // namespace oriel::cli
