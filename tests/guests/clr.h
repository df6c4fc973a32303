// The runtime's profiling interfaces as a profiler's author declares them, for these guests. It contains nothing of
// Oriel's, like the profilers that run beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace clr {

using HRESULT = int32_t;
using BOOL = int32_t;
using Id = uintptr_t;  // of any thing of the runtime
using Token = uint32_t;
using Wide = char16_t;

constexpr HRESULT S_OK = 0, E_NOINTERFACE = static_cast<HRESULT>(0x80004002), E_FAIL = static_cast<HRESULT>(0x80004005);

struct GUID {
  uint32_t a;
  uint16_t b, c;
  uint8_t d[8];
};
inline bool operator==(const GUID& x, const GUID& y) { return std::memcmp(&x, &y, sizeof x) == 0; }

struct CodeRange {
  Id start;
  size_t size;
};
struct FieldPlace {
  Token field;
  uint32_t offset;
};
struct EventProvider {
  const Wide* name;
  uint64_t keywords;
  uint32_t level;
  const Wide* filter;
};

struct Unknown {
  virtual HRESULT QueryInterface(const GUID& id, void** object) = 0;
  virtual uint32_t AddRef() = 0;
  virtual uint32_t Release() = 0;

 protected:
  ~Unknown() = default;
};
constexpr GUID IID_Unknown = {0, 0, 0, {0xc0, 0, 0, 0, 0, 0, 0, 0x46}};

struct ClassFactory : Unknown {
  virtual HRESULT CreateInstance(Unknown* outer, const GUID& id, void** object) = 0;
  virtual HRESULT LockServer(BOOL lock) = 0;

 protected:
  ~ClassFactory() = default;
};
constexpr GUID IID_ClassFactory = {1, 0, 0, {0xc0, 0, 0, 0, 0, 0, 0, 0x46}};

struct MethodMemory : Unknown {
  virtual void* Alloc(uint32_t size) = 0;

 protected:
  ~MethodMemory() = default;
};

// Up to the last slot that is used here. The others have no arguments; only their places count.
struct MetaDataEmit : Unknown {
  virtual HRESULT Unused0() = 0;
  virtual HRESULT Unused1() = 0;
  virtual HRESULT Unused2() = 0;
  virtual HRESULT Unused3() = 0;
  virtual HRESULT Unused4() = 0;
  virtual HRESULT Unused5() = 0;
  virtual HRESULT Unused6() = 0;
  virtual HRESULT Unused7() = 0;
  virtual HRESULT Unused8() = 0;
  virtual HRESULT Unused9() = 0;
  virtual HRESULT Unused10() = 0;
  virtual HRESULT Unused11() = 0;
  virtual HRESULT Unused12() = 0;
  virtual HRESULT Unused13() = 0;
  virtual HRESULT Unused14() = 0;
  virtual HRESULT Unused15() = 0;
  virtual HRESULT Unused16() = 0;
  virtual HRESULT Unused17() = 0;
  virtual HRESULT Unused18() = 0;
  virtual HRESULT Unused19() = 0;
  virtual HRESULT Unused20() = 0;
  virtual HRESULT Unused21() = 0;
  virtual HRESULT Unused22() = 0;
  virtual HRESULT Unused23() = 0;
  virtual HRESULT Unused24() = 0;
  virtual HRESULT DefineUserString(const Wide* text, uint32_t length, Token* token) = 0;

 protected:
  ~MetaDataEmit() = default;
};
constexpr GUID IID_MetaDataEmit = {0xba3fee4c, 0xecb9, 0x4e41, {0x83, 0xb7, 0x18, 0x3f, 0xa4, 0x1c, 0xd8, 0x59}};

// The new offset of an instruction of a body.
struct IlMapEntry {
  uint32_t before, after;
  BOOL accurate;
};

struct FunctionControl : Unknown {
  virtual HRESULT SetCodegenFlags(uint32_t flags) = 0;
  virtual HRESULT SetILFunctionBody(uint32_t size, const uint8_t* body) = 0;
  virtual HRESULT SetILInstrumentedCodeMap(uint32_t count, void* entries) = 0;

 protected:
  ~FunctionControl() = default;
};

struct Callback : Unknown {
#define CALLBACK(name, arguments) \
  virtual HRESULT name arguments { return S_OK; }
#define LIFE CALLBACK
#include "callbacks.def"
#undef LIFE
#undef CALLBACK

 protected:
  ~Callback() = default;
};

struct Info : Unknown {
  virtual HRESULT GetClassFromObject(Id, Id*) = 0;
  virtual HRESULT GetClassFromToken(Id, Token, Id*) = 0;
  virtual HRESULT GetCodeInfo(Id, const uint8_t**, uint32_t*) = 0;
  virtual HRESULT GetEventMask(uint32_t*) = 0;
  virtual HRESULT GetFunctionFromIP(const uint8_t*, Id*) = 0;
  virtual HRESULT GetFunctionFromToken(Id, Token, Id*) = 0;
  virtual HRESULT GetHandleFromThread(Id, void**) = 0;
  virtual HRESULT GetObjectSize(Id, uint32_t*) = 0;
  virtual HRESULT IsArrayClass(Id, uint32_t*, Id*, uint32_t*) = 0;
  virtual HRESULT GetThreadInfo(Id, uint32_t*) = 0;
  virtual HRESULT GetCurrentThreadID(Id*) = 0;
  virtual HRESULT GetClassIDInfo(Id, Id*, Token*) = 0;
  virtual HRESULT GetFunctionInfo(Id, Id*, Id*, Token*) = 0;
  virtual HRESULT SetEventMask(uint32_t) = 0;
  virtual HRESULT SetEnterLeaveFunctionHooks(void*, void*, void*) = 0;
  virtual HRESULT SetFunctionIDMapper(void*) = 0;
  virtual HRESULT GetTokenAndMetaDataFromFunction(Id, const GUID&, Unknown**, Token*) = 0;
  virtual HRESULT GetModuleInfo(Id, const uint8_t**, uint32_t, uint32_t*, Wide*, Id*) = 0;
  virtual HRESULT GetModuleMetaData(Id, uint32_t, const GUID&, Unknown**) = 0;
  virtual HRESULT GetILFunctionBody(Id, Token, const uint8_t**, uint32_t*) = 0;
  virtual HRESULT GetILFunctionBodyAllocator(Id, void**) = 0;
  virtual HRESULT SetILFunctionBody(Id, Token, const uint8_t*) = 0;
  virtual HRESULT GetAppDomainInfo(Id, uint32_t, uint32_t*, Wide*, Id*) = 0;
  virtual HRESULT GetAssemblyInfo(Id, uint32_t, uint32_t*, Wide*, Id*, Id*) = 0;
  virtual HRESULT SetFunctionReJIT(Id) = 0;
  virtual HRESULT ForceGC() = 0;
  virtual HRESULT SetILInstrumentedCodeMap(Id, BOOL, uint32_t, void*) = 0;
  virtual HRESULT GetInprocInspectionInterface(Unknown**) = 0;
  virtual HRESULT GetInprocInspectionIThisThread(Unknown**) = 0;
  virtual HRESULT GetThreadContext(Id, Id*) = 0;
  virtual HRESULT BeginInprocDebugging(BOOL, uint32_t*) = 0;
  virtual HRESULT EndInprocDebugging(uint32_t) = 0;
  virtual HRESULT GetILToNativeMapping(Id, uint32_t, uint32_t*, void*) = 0;
  virtual HRESULT DoStackSnapshot(Id, void*, uint32_t, void*, uint8_t*, uint32_t) = 0;
  virtual HRESULT SetEnterLeaveFunctionHooks2(void*, void*, void*) = 0;
  virtual HRESULT GetFunctionInfo2(Id, Id, Id*, Id*, Token*, uint32_t, uint32_t*, Id*) = 0;
  virtual HRESULT GetStringLayout(uint32_t*, uint32_t*, uint32_t*) = 0;
  virtual HRESULT GetClassLayout(Id, FieldPlace*, uint32_t, uint32_t*, uint32_t*) = 0;
  virtual HRESULT GetClassIDInfo2(Id, Id*, Token*, Id*, uint32_t, uint32_t*, Id*) = 0;
  virtual HRESULT GetCodeInfo2(Id, uint32_t, uint32_t*, CodeRange*) = 0;
  virtual HRESULT GetClassFromTokenAndTypeArgs(Id, Token, uint32_t, Id*, Id*) = 0;
  virtual HRESULT GetFunctionFromTokenAndTypeArgs(Id, Token, Id, uint32_t, Id*, Id*) = 0;
  virtual HRESULT EnumModuleFrozenObjects(Id, void**) = 0;
  virtual HRESULT GetArrayObjectInfo(Id, uint32_t, uint32_t*, int32_t*, uint8_t**) = 0;
  virtual HRESULT GetBoxClassLayout(Id, uint32_t*) = 0;
  virtual HRESULT GetThreadAppDomain(Id, Id*) = 0;
  virtual HRESULT GetRVAStaticAddress(Id, Token, void**) = 0;
  virtual HRESULT GetAppDomainStaticAddress(Id, Token, Id, void**) = 0;
  virtual HRESULT GetThreadStaticAddress(Id, Token, Id, void**) = 0;
  virtual HRESULT GetContextStaticAddress(Id, Token, Id, void**) = 0;
  virtual HRESULT GetStaticFieldInfo(Id, Token, uint32_t*) = 0;
  virtual HRESULT GetGenerationBounds(uint32_t, uint32_t*, void*) = 0;
  virtual HRESULT GetObjectGeneration(Id, void*) = 0;
  virtual HRESULT GetNotifiedExceptionClauseInfo(void*) = 0;
  virtual HRESULT EnumJITedFunctions(void**) = 0;
  virtual HRESULT RequestProfilerDetach(uint32_t) = 0;
  virtual HRESULT SetFunctionIDMapper2(void*, void*) = 0;
  virtual HRESULT GetStringLayout2(uint32_t*, uint32_t*) = 0;
  virtual HRESULT SetEnterLeaveFunctionHooks3(void*, void*, void*) = 0;
  virtual HRESULT SetEnterLeaveFunctionHooks3WithInfo(void*, void*, void*) = 0;
  virtual HRESULT GetFunctionEnter3Info(Id, Id, Id*, uint32_t*, void*) = 0;
  virtual HRESULT GetFunctionLeave3Info(Id, Id, Id*, void*) = 0;
  virtual HRESULT GetFunctionTailcall3Info(Id, Id, Id*) = 0;
  virtual HRESULT EnumModules(void**) = 0;
  virtual HRESULT GetRuntimeInformation(uint16_t*, uint32_t*, uint16_t*, uint16_t*, uint16_t*, uint16_t*, uint32_t,
                                        uint32_t*, Wide*) = 0;
  virtual HRESULT GetThreadStaticAddress2(Id, Token, Id, Id, void**) = 0;
  virtual HRESULT GetAppDomainsContainingModule(Id, uint32_t, uint32_t*, Id*) = 0;
  virtual HRESULT GetModuleInfo2(Id, const uint8_t**, uint32_t, uint32_t*, Wide*, Id*, uint32_t*) = 0;
  virtual HRESULT EnumThreads(void**) = 0;
  virtual HRESULT InitializeCurrentThread() = 0;
  virtual HRESULT RequestReJIT(uint32_t, Id*, Token*) = 0;
  virtual HRESULT RequestRevert(uint32_t, Id*, Token*, HRESULT*) = 0;
  virtual HRESULT GetCodeInfo3(Id, Id, uint32_t, uint32_t*, CodeRange*) = 0;
  virtual HRESULT GetFunctionFromIP2(const uint8_t*, Id*, Id*) = 0;
  virtual HRESULT GetReJITIDs(Id, uint32_t, uint32_t*, Id*) = 0;
  virtual HRESULT GetILToNativeMapping2(Id, Id, uint32_t, uint32_t*, void*) = 0;
  virtual HRESULT EnumJITedFunctions2(void**) = 0;
  virtual HRESULT GetObjectSize2(Id, size_t*) = 0;
  virtual HRESULT GetEventMask2(uint32_t*, uint32_t*) = 0;
  virtual HRESULT SetEventMask2(uint32_t, uint32_t) = 0;
  virtual HRESULT EnumNgenModuleMethodsInliningThisMethod(Id, Id, Token, BOOL*, void**) = 0;
  virtual HRESULT ApplyMetaData(Id) = 0;
  virtual HRESULT GetInMemorySymbolsLength(Id, uint32_t*) = 0;
  virtual HRESULT ReadInMemorySymbols(Id, uint32_t, uint8_t*, uint32_t, uint32_t*) = 0;
  virtual HRESULT IsFunctionDynamic(Id, BOOL*) = 0;
  virtual HRESULT GetFunctionFromIP3(const uint8_t*, Id*, Id*) = 0;
  virtual HRESULT GetDynamicFunctionInfo(Id, Id*, const uint8_t**, uint32_t*, uint32_t, uint32_t*, Wide*) = 0;
  virtual HRESULT GetNativeCodeStartAddresses(Id, Id, uint32_t, uint32_t*, Id*) = 0;
  virtual HRESULT GetILToNativeMapping3(Id, uint32_t, uint32_t*, void*) = 0;
  virtual HRESULT GetCodeInfo4(Id, uint32_t, uint32_t*, CodeRange*) = 0;
  virtual HRESULT EnumerateObjectReferences(Id, void*, void*) = 0;
  virtual HRESULT IsFrozenObject(Id, BOOL*) = 0;
  virtual HRESULT GetLOHObjectSizeThreshold(uint32_t*) = 0;
  virtual HRESULT RequestReJITWithInliners(uint32_t, uint32_t, Id*, Token*) = 0;
  virtual HRESULT SuspendRuntime() = 0;
  virtual HRESULT ResumeRuntime() = 0;
  virtual HRESULT GetEnvironmentVariable(const Wide*, uint32_t, uint32_t*, Wide*) = 0;
  virtual HRESULT SetEnvironmentVariable(const Wide*, const Wide*) = 0;
  virtual HRESULT EventPipeStartSession(uint32_t, EventProvider*, BOOL, uint64_t*) = 0;
  virtual HRESULT EventPipeAddProviderToSession(uint64_t, EventProvider) = 0;
  virtual HRESULT EventPipeStopSession(uint64_t) = 0;
  virtual HRESULT EventPipeCreateProvider(const Wide*, Id*) = 0;
  virtual HRESULT EventPipeGetProviderInfo(Id, uint32_t, uint32_t*, Wide*) = 0;
  virtual HRESULT EventPipeDefineEvent(Id, const Wide*, uint32_t, uint64_t, uint32_t, uint32_t, uint8_t, BOOL, uint32_t,
                                       void*, Id*) = 0;
  virtual HRESULT EventPipeWriteEvent(Id, uint32_t, void*, const GUID*, const GUID*) = 0;
  virtual HRESULT CreateHandle(Id, uint32_t, Id*) = 0;
  virtual HRESULT DestroyHandle(Id) = 0;
  virtual HRESULT GetObjectIDFromHandle(Id, Id*) = 0;
  virtual HRESULT EnumerateNonGCObjects(void**) = 0;
  virtual HRESULT GetNonGCHeapBounds(uint32_t, uint32_t*, void*) = 0;
  virtual HRESULT EventPipeCreateProvider2(const Wide*, void*, Id*) = 0;
  virtual HRESULT EnumerateGCHeapObjects(void*, void*) = 0;

 protected:
  ~Info() = default;
};

constexpr GUID IID_Callback1 = {0x176fbed1, 0xa55c, 0x4796, {0x98, 0xca, 0xa9, 0xda, 0x0e, 0xf8, 0x83, 0xe7}};
constexpr GUID IID_Callback2 = {0x8a8cc829, 0xccf2, 0x49fe, {0xbb, 0xae, 0x0f, 0x02, 0x22, 0x28, 0x07, 0x1a}};
constexpr GUID IID_Callback3 = {0x4fd2ed52, 0x7731, 0x4b8d, {0x94, 0x69, 0x03, 0xd2, 0xcc, 0x30, 0x86, 0xc5}};
constexpr GUID IID_Callback4 = {0x7b63b2e3, 0x107d, 0x4d48, {0xb2, 0xf6, 0xf6, 0x1e, 0x22, 0x94, 0x70, 0xd2}};
constexpr GUID IID_Callback5 = {0x8dfba405, 0x8c9f, 0x45f8, {0xbf, 0xfa, 0x83, 0xb1, 0x4c, 0xef, 0x78, 0xb5}};
constexpr GUID IID_Callback6 = {0xfc13df4b, 0x4448, 0x4f4f, {0x95, 0x0c, 0xba, 0x8d, 0x19, 0xd0, 0x0c, 0x36}};
constexpr GUID IID_Callback7 = {0xf76a2dba, 0x1d52, 0x4539, {0x86, 0x6c, 0x2a, 0xa5, 0x18, 0xf9, 0xef, 0xc3}};
constexpr GUID IID_Callback8 = {0x5bed9b15, 0xc079, 0x4d47, {0xbf, 0xe2, 0x21, 0x5a, 0x14, 0x0c, 0x07, 0xe0}};
constexpr GUID IID_Callback9 = {0x27583ec3, 0xc8f5, 0x482f, {0x80, 0x52, 0x19, 0x4b, 0x8c, 0xe4, 0x70, 0x5a}};
constexpr GUID IID_Callback10 = {0xcec5b60e, 0xc69c, 0x495f, {0x87, 0xf6, 0x84, 0xd2, 0x8e, 0xe1, 0x6f, 0xfb}};
constexpr GUID IID_Callback11 = {0x42350846, 0xaaed, 0x47f7, {0xb1, 0x28, 0xfd, 0x0c, 0x98, 0x88, 0x1c, 0xde}};
constexpr GUID IID_Info1 = {0x28b5557d, 0x3f3f, 0x48b4, {0x90, 0xb2, 0x5f, 0x9e, 0xea, 0x2f, 0x6c, 0x48}};
constexpr GUID IID_Info2 = {0xcc0935cd, 0xa518, 0x487d, {0xb0, 0xbb, 0xa9, 0x32, 0x14, 0xe6, 0x54, 0x78}};
constexpr GUID IID_Info3 = {0xb555ed4f, 0x452a, 0x4e54, {0x8b, 0x39, 0xb5, 0x36, 0x0b, 0xad, 0x32, 0xa0}};
constexpr GUID IID_Info4 = {0x0d8fdcaa, 0x6257, 0x47bf, {0xb1, 0xbf, 0x94, 0xda, 0xc8, 0x84, 0x66, 0xee}};
constexpr GUID IID_Info5 = {0x07602928, 0xce38, 0x4b83, {0x81, 0xe7, 0x74, 0xad, 0xaf, 0x78, 0x12, 0x14}};
constexpr GUID IID_Info6 = {0xf30a070d, 0xbffb, 0x46a7, {0xb1, 0xd8, 0x87, 0x81, 0xef, 0x7b, 0x69, 0x8a}};
constexpr GUID IID_Info7 = {0x9aeecc0d, 0x63e0, 0x4187, {0x8c, 0x00, 0xe3, 0x12, 0xf5, 0x03, 0xf6, 0x63}};
constexpr GUID IID_Info8 = {0xc5ac80a6, 0x782e, 0x4716, {0x80, 0x44, 0x39, 0x59, 0x8c, 0x60, 0xcf, 0xbf}};
constexpr GUID IID_Info9 = {0x008170db, 0xf8cc, 0x4796, {0x9a, 0x51, 0xdc, 0x8a, 0xa0, 0xb4, 0x70, 0x12}};
constexpr GUID IID_Info10 = {0x2f1b5152, 0xc869, 0x40c9, {0xaa, 0x5f, 0x3a, 0xbe, 0x02, 0x6b, 0xd7, 0x20}};
constexpr GUID IID_Info11 = {0x06398876, 0x8987, 0x4154, {0xb6, 0x21, 0x40, 0xa0, 0x0d, 0x6e, 0x4d, 0x04}};
constexpr GUID IID_Info12 = {0x27b24ccd, 0x1cb1, 0x47c5, {0x96, 0xee, 0x98, 0x19, 0x0d, 0xc3, 0x09, 0x59}};
constexpr GUID IID_Info13 = {0x6e6c7ee2, 0x0701, 0x4ec2, {0x9d, 0x29, 0x2e, 0x87, 0x33, 0xb6, 0x69, 0x34}};
constexpr GUID IID_Info14 = {0xf460e352, 0xd76d, 0x4fe9, {0x83, 0x5f, 0xf6, 0xaf, 0x9d, 0x6e, 0x86, 0x2d}};
constexpr GUID IID_Info15 = {0xb446462d, 0xbd22, 0x41dd, {0x87, 0x2d, 0xdc, 0x71, 0x4c, 0x49, 0xeb, 0x56}};

constexpr GUID kCallbackIds[] = {IID_Unknown,   IID_Callback1, IID_Callback2,  IID_Callback3,
                                 IID_Callback4, IID_Callback5, IID_Callback6,  IID_Callback7,
                                 IID_Callback8, IID_Callback9, IID_Callback10, IID_Callback11};
constexpr GUID kInfoIds[] = {IID_Info1,  IID_Info2,  IID_Info3,  IID_Info4,  IID_Info5,
                             IID_Info6,  IID_Info7,  IID_Info8,  IID_Info9,  IID_Info10,
                             IID_Info11, IID_Info12, IID_Info13, IID_Info14, IID_Info15};

}  // namespace clr
