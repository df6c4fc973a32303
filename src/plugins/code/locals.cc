#include "plugins/code/locals.h"

#include "il/signature.h"
#include "plugins/code/signature_builder.h"
#include "plugins/code/types.h"
#include "plugins/info/enumerator.h"
#include "plugins/info/method_info.h"

namespace oriel::plugins {
namespace {

constexpr uint8_t kLocalSignature = 0x07;

}  // namespace

HResult LocalVariables::QueryInterface(const Guid& id, void** object) {
  return answer_face(static_cast<ILocalVariableCollection2*>(this),
                     face<ILocalVariableCollection2, DataContainer>(this, id), object);
}
uint32_t LocalVariables::AddRef() { return method_.AddRef(); }
uint32_t LocalVariables::Release() { return method_.Release(); }

// S_FALSE if there was nothing to do, as in the CLR Instrumentation Engine.
HResult LocalVariables::Initialize() {
  if (is_read_) return kFalse;
  if (const HResult result = read(); failed(result)) return result;
  return before_count_ == 0 ? kFalse : kOk;
}

HResult LocalVariables::read() {
  if (is_read_) return kOk;
  if (!is_replaced_) {
    const std::span<const uint8_t> bytes = method_.local_signature();
    before_.assign(bytes.begin(), bytes.end());
  }
  const Result<uint32_t> count = il::local_count(before_);
  if (!count) return kUnexpected;
  before_count_ = *count;
  is_read_ = true;
  return kOk;
}

uint32_t LocalVariables::count() const { return before_count_ + static_cast<uint32_t>(added_.size()); }

HResult LocalVariables::GetCount(uint32_t* out) {
  if (out == nullptr) return kPointerError;
  const HResult result = Initialize();
  if (succeeded(result)) *out = count();
  return result;
}

HResult LocalVariables::AddLocal(IType* type, uint32_t* index) {
  if (type == nullptr) return kPointerError;
  if (const HResult result = read(); failed(result)) return result;
  if (!may_change_) return kFail;
  const ComPtr<SignatureBuilder> builder = make<SignatureBuilder>();
  if (const HResult result = type->AddToSignature(builder.get()); failed(result)) return result;
  if (count() > 0xfffe) return kFail;
  added_.push_back(bytes_of(*builder.get()));
  if (index != nullptr) *index = count() - 1;
  return kOk;
}

HResult LocalVariables::ReplaceSignature(const uint8_t* signature, uint32_t size) {
  if (!may_change_ || is_read_) return kFail;
  if (signature == nullptr) return kPointerError;
  if (size < 2 || signature[0] != kLocalSignature) return kInvalidArgument;
  before_.assign(signature, signature + size);
  is_replaced_ = true;
  if (const HResult result = read(); failed(result)) {
    is_replaced_ = false;
    before_.clear();
    return result;
  }
  return kOk;
}

std::vector<uint8_t> LocalVariables::signature() {
  if (failed(read())) return {};
  Result<il::NewLocals> all = il::add_locals(before_, added_);
  std::vector<uint8_t> bytes = all ? std::move(all->signature) : before_;
  if (bytes.empty()) bytes = {kLocalSignature, 0};
  return bytes;
}

HResult LocalVariables::GetCorSignature(ISignatureBuilder** out) {
  if (out == nullptr) return kPointerError;
  *out = nullptr;
  if (const HResult result = read(); failed(result)) return result;
  return give(make<SignatureBuilder>(signature()), out);
}

HResult LocalVariables::CommitSignature() {
  if (!is_read_ || (added_.empty() && !is_replaced_)) return kFalse;
  if (!may_change_) return kFail;
  const ComPtr<coreclr::MetaDataEmit> emit = method_.module()->emit();
  if (!emit) return kFail;
  const std::vector<uint8_t> bytes = signature();
  Token token = 0;
  const HResult result = emit->GetTokenFromSig(bytes.data(), static_cast<uint32_t>(bytes.size()), &token);
  if (failed(result)) return result;
  method_.set_locals(token);
  is_read_ = is_replaced_ = false;
  added_.clear();
  before_.clear();
  before_count_ = 0;
  return kOk;
}

HResult LocalVariables::GetEnum(IEnumMethodLocals** out) {
  if (out == nullptr) return kPointerError;
  *out = nullptr;
  if (const HResult result = read(); failed(result)) return result;
  const auto types = il::read_local_types(before_);
  if (!types) return kUnexpected;
  std::vector<ComPtr<IMethodLocal>> all;
  for (const auto& type : *types)
    all.push_back(ComPtr<IMethodLocal>(new Typed<IMethodLocal>(make_type(type, method_.module()))));
  return give_list(std::move(all), out);
}

}  // namespace oriel::plugins
