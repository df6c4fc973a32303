#include "modules/names.h"

#include <unistd.h>

#include <algorithm>

#include "base/process/thread_id.h"
#include "base/text/hex.h"
#include "modules/origin.h"
#include "modules/system_call.h"

namespace oriel::modules {

NameTable::Frame NameTable::frame_at(uintptr_t address, uint64_t when) {
  oriel_frame frame{};
  oriel_resolve_address(address, when, &frame);
  if (frame.kind != ORIEL_FRAME_MANAGED) return {log::FrameKind::kNative, native_id(frame, address)};
  need_method(frame.method);
  return {log::FrameKind::kManaged, oriel_method_id(frame.method), oriel_il_offset(address, when)};
}

std::optional<NameTable::Frame> NameTable::kernel_below(uintptr_t address, uint64_t when) {
  oriel_frame frame{};
  oriel_resolve_address(address, when, &frame);
  if (frame.kind != ORIEL_FRAME_NATIVE || !frame.library || !is_system_call(frame.library, address))
    return std::nullopt;
  return Frame{log::FrameKind::kNative, add_native({0, "[kernel]", 0}, address)};
}

NameTable::Frame NameTable::page_fault() { return {log::FrameKind::kNative, add_native({0, "[page fault]", 0}, 0)}; }
NameTable::Frame NameTable::waiting() { return {log::FrameKind::kNative, add_native({0, "[waiting]", 0}, 0)}; }

uint64_t NameTable::native_id(const oriel_frame& frame, uintptr_t address) {
  if (frame.kind == ORIEL_FRAME_STUB) {
    const std::string_view purpose = oriel_stub_purpose(address);
    return add_native({0, purpose.empty() ? "[runtime stub]" : std::string(purpose), 0}, address);
  }
  if (frame.kind != ORIEL_FRAME_NATIVE) return add_native({0, "[unknown]", 0}, address);
  const uint64_t library = frame.library ? library_id(frame.library, address) : 0;
  return frame.symbol ? add_native({library, frame.symbol, 0}, address)
                      : add_native({library, "", frame.start}, address);
}

uint64_t NameTable::add_native(const NativeKey& key, uintptr_t address) {
  const auto entry = natives_.try_emplace(key, Numbered{natives_.size() + 1}).first;
  const uint64_t id = entry->second.id;
  if (std::exchange(entry->second.is_said, true)) return id;
  std::string name = key.name;
  if (oriel_native native{}; key.library != 0 && oriel_resolve_native(address, &native) && native.start != 0) {
    if (name.empty()) name = oriel_native_purpose(&native);
    next_.addresses.push_back({id, native.start - native.base});
  }
  next_.natives.push_back({id, key.library, std::move(name)});
  return id;
}

uint64_t NameTable::library_id(const char* path, uintptr_t address) {
  Numbered& library = libraries_.try_emplace(path, Numbered{libraries_.size() + 1}).first->second;
  if (std::exchange(library.is_said, true)) return library.id;
  next_.libraries.push_back({library.id, path});
  if (oriel_native native{}; oriel_resolve_native(address, &native) && native.build_id)
    next_.builds.push_back({library.id, hex({native.build_id, native.build_id_size})});
  return library.id;
}

void NameTable::need_image(oriel_image* image) {
  if (!image || !mark(images_, oriel_image_id(image))) return;
  log::ImageName name;
  name.id = oriel_image_id(image);
  name.name = oriel_image_name(image);
  name.path = oriel_image_path(image);
  if (oriel_assembly* assembly = oriel_image_assembly(image)) name.assembly = oriel_assembly_name(assembly);
  Origin origin = origin_of(name.path, name.assembly);
  if (origin.kind == log::Origin::kProject) {
    own_images_.insert(name.id);
    if (!oriel_image_is_optimized(image)) next_.unoptimized.push_back({name.id});
  }
  next_.origins.push_back({name.id, origin.kind, std::move(origin.name)});
  next_.images.push_back(std::move(name));
  std::string pdb = oriel_image_pdb_id(image);
  if (!pdb.empty()) next_.symbols.push_back({oriel_image_id(image), std::move(pdb), oriel_image_pdb_path(image)});
}

void NameTable::need_class(oriel_class* klass) {
  if (!klass || !mark(classes_, oriel_class_id(klass))) return;
  log::ClassName name;
  name.id = oriel_class_id(klass);
  name.name = oriel_class_name(klass);
  name.instance_size = oriel_class_instance_size(klass);
  if (oriel_image* image = oriel_class_image(klass)) {
    need_image(image);
    name.image = oriel_image_id(image);
  }
  next_.classes.push_back(std::move(name));
}

void NameTable::need_method(oriel_method* method) {
  if (!method || !mark(methods_, oriel_method_id(method))) return;
  log::MethodName name;
  name.id = oriel_method_id(method);
  name.name = oriel_method_short_name(method);
  name.raw_name = oriel_method_raw_name(method);
  if (oriel_class* klass = oriel_method_class(method)) {
    need_class(klass);
    name.klass = oriel_class_id(klass);
    if (name.raw_name == std::string(oriel_class_name(klass)) + "." + name.name) name.raw_name.clear();
  }
  next_.methods.push_back(std::move(name));
  constexpr uint32_t kRowOfToken = 0xffffff;
  oriel_image* const image = oriel_method_image(method);
  const uint64_t row = oriel_method_token(method) & kRowOfToken;
  if (!image || row == 0) return;
  need_image(image);
  next_.definitions.push_back({oriel_method_id(method), oriel_image_id(image), row});
  if (own_images_.contains(oriel_image_id(image))) need_boxes(method);
}

void NameTable::need_boxes(oriel_method* method) {
  constexpr size_t kMost = 256;  // maximum per method
  uint32_t offsets[kMost];
  const size_t count = std::min(oriel_method_boxes(method, offsets, kMost), kMost);
  for (size_t i = 0; i < count; ++i) next_.boxes.push_back({oriel_method_id(method), offsets[i]});
}

void NameTable::need_thread(uint64_t id) {
  if (id && mark(threads_, id)) add_thread(oriel_thread_by_id(static_cast<uint32_t>(id)));
}

void NameTable::rename_thread(uint64_t id) {
  mark(threads_, id);
  add_thread(oriel_thread_by_id(static_cast<uint32_t>(id)));
}

void NameTable::add_thread(oriel_thread* thread) {
  if (!thread) return;
  log::ThreadName name;
  name.id = oriel_thread_id(thread);
  name.os_id = oriel_thread_os_id(thread);
  name.managed = oriel_thread_is_managed(thread);
  name.name = oriel_thread_get_name(thread);
  next_.threads.push_back(std::move(name));
}

void NameTable::need(log::FieldKind kind, uint64_t id) {
  const auto small = static_cast<uint32_t>(id);
  switch (kind) {
    case log::FieldKind::kImage:
      need_image(oriel_image_by_id(small));
      break;
    case log::FieldKind::kObject:
    case log::FieldKind::kClass:
      need_class(oriel_class_by_id(small));
      break;
    case log::FieldKind::kMethod:
      need_method(oriel_method_by_id(small));
      break;
    case log::FieldKind::kThread:
      need_thread(id);
      break;
    default:
      break;
  }
}

void NameTable::continue_from(NameTable& before) {
  libraries_ = std::move(before.libraries_);
  natives_ = std::move(before.natives_);
  for (auto& [path, library] : libraries_) library.is_said = false;
  for (auto& [key, native] : natives_) native.is_said = false;
}

log::Mapping NameTable::take() {
  log::Mapping mapping = std::exchange(next_, {});
  mapping.thread = thread_id();
  return mapping;
}

}  // namespace oriel::modules
