// Objects that are followed until they die.
#pragma once

#include <cstdint>

#include "runtimes/mono/mono_types.h"

namespace oriel::mono {

// Starts following objects, or stops. Calls must not overlap.
void follow_objects(bool on);

// As FollowedObjects::follow and follow_pinned: the object's number, 0 if it is not followed.
uint32_t follow(MonoObject* object, uint64_t size);
uint32_t follow_chosen(MonoObject* object, uint64_t size);

// A collection has ended, and the program runs again. False if another thread kept it from looking.
bool look_after_collection(bool all);

// The domain is about to go, with its objects; then it is gone.
void domain_goes(MonoDomain* domain);
void domain_is_gone(MonoDomain* domain);

}  // namespace oriel::mono
