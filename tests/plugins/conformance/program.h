// The slots of the manager, application domains, assemblies, modules, methods, types and signatures.
#pragma once

#include "transcript.h"

namespace conformance {

void tell_manager(IProfilerManager* manager);
void tell_domains(IProfilerManager* manager);
void tell_module(IModuleInfo* module);
void tell_assembly(IAssemblyInfo* assembly);
void tell_method(IMethodInfo* method);
void tell_jit(IMethodJitInfo* method);
void tell_type(const char* of, IType* type);
void tell_types(IModuleInfo* module, IProfilerManager* manager);
void tell_data(const char* of, IUnknown* container);
void tell_logging(IProfilerManager* manager);

// "Subjects.Loop"
std::string name_of(IMethodInfo* method);
std::string name_of(IModuleInfo* module);

}  // namespace conformance
