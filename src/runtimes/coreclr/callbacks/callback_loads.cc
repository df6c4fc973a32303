// App domains, assemblies, modules, classes.
#include "base/atomic_ref.h"
#include "engine/engine.h"
#include "engine/things/code_map.h"
#include "runtimes/coreclr/callbacks/callback.h"
#include "runtimes/coreclr/names/things.h"

namespace oriel::coreclr {

HResult Callback::AppDomainCreationStarted(AppDomainID domain) {
  return guarded([&] {
    if (is_wanted(oriel_event_domain_loading)) raise_domain_loading(intern_domain(domain));
  });
}

// CoreCLR has one domain. Once it is created, the core library is loaded and managed code runs.
HResult Callback::AppDomainCreationFinished(AppDomainID domain, HResult status) {
  return guarded([&] {
    if (succeeded(status) && is_wanted(oriel_event_domain_loaded)) raise_domain_loaded(intern_domain(domain));
    if (!initialized_raised_.exchange(true)) raise_runtime_initialized();
  });
}

HResult Callback::AppDomainShutdownStarted(AppDomainID domain) {
  return guarded([&] {
    oriel_domain* record = intern_domain(domain);
    before_unload(record);
    raise_domain_unloading(record);
  });
}

HResult Callback::AppDomainShutdownFinished(AppDomainID domain, HResult) {
  return guarded([&] {
    oriel_domain* record = intern_domain(domain);
    raise_domain_unloaded(record);
    after_unload(record);
  });
}

HResult Callback::AssemblyLoadStarted(AssemblyID assembly) {
  return guarded([&] {
    unload::back(assembly);
    if (is_wanted(oriel_event_assembly_loading)) raise_assembly_loading(intern_assembly(assembly));
  });
}

HResult Callback::AssemblyLoadFinished(AssemblyID assembly, HResult status) {
  return guarded([&] {
    if (succeeded(status) && is_wanted(oriel_event_assembly_loaded)) raise_assembly_loaded(intern_assembly(assembly));
  });
}

// An assembly's unload encloses those of its modules and classes.
HResult Callback::AssemblyUnloadStarted(AssemblyID assembly) {
  return guarded([&] {
    oriel_assembly* record = intern_assembly(assembly);
    before_unload(record);
    raise_assembly_unloading(record);
    unload::gone(assembly);
    unload::begins();
  });
}

HResult Callback::AssemblyUnloadFinished(AssemblyID assembly, HResult) {
  return guarded([&] {
    unload::is_over();
    oriel_assembly* record = intern_assembly(assembly);
    raise_assembly_unloaded(record);
    after_unload(record);
  });
}

HResult Callback::ModuleLoadStarted(ModuleID module) {
  return guarded([&] {
    unload::back(module);
    if (is_wanted(oriel_event_image_loading)) raise_image_loading(intern_image(module));
  });
}

HResult Callback::ModuleLoadFinished(ModuleID module, HResult status) {
  return guarded([&] {
    forget_executable_mappings();
    if (failed(status)) {
      if (is_wanted(oriel_event_image_failed)) raise_image_failed(intern_image(module));
      // No unload will be reported for it.
      if (oriel_image* record = find_image(module)) {
        unload::gone(module);
        unload::wait_for_questions();
        adapter_->modules().close(module);
        after_unload(record);
      }
    } else if (is_wanted(oriel_event_image_loaded)) {
      const Definitions::Loading loading(adapter_->instrumenter().definitions, module);
      raise_image_loaded(intern_image(module));
    }
    if (succeeded(status) && adapter_->quiet_ends().is_wanted()) adapter_->quiet_ends().look_at(module);
  });
}

// An image whose names were asked for while it was being loaded had no assembly yet.
HResult Callback::ModuleAttachedToAssembly(ModuleID module, AssemblyID assembly) {
  return guarded([&] {
    oriel_image* image = find_image(module);
    const bool known = image != nullptr && image->described.load(std::memory_order_acquire) == Described::kKnown;
    if (known && image->assembly == nullptr)
      AtomicRef<oriel_assembly*>(image->assembly).store(intern_assembly(assembly), std::memory_order_release);
    adapter_->image_attached(module);
  });
}

// Everything is still there until this returns. Data that is kept about the module is dropped once nobody can reach the
// module any more, because a later question would store it again.
HResult Callback::ModuleUnloadStarted(ModuleID module) {
  guarded([&] {
    oriel_image* image = intern_image(module);
    before_unload(image);
    raise_image_unloading(image);
    adapter_->precompiled().resolve_all(info());
  });
  return guarded([&] {
    oriel_image* image = intern_image(module);
    unload::unloads_here(module);
    unload::gone(module);
    for (const auto* it = image->guest_methods.load(std::memory_order_acquire); it != nullptr; it = it->next) {
      if (it->record->runtime_id != 0) unload::gone(it->record->runtime_id);
    }
    unload::wait_for_questions();
    before_unload(image);  // things that were met since
    adapter_->modules().close(module);
    adapter_->instrumenter().module_unloading(module);
    adapter_->exception_clauses().module_unloading(module);
    adapter_->object_fields().forget_all();
    adapter_->quiet_ends().module_unloading(module);
  });
}

HResult Callback::ModuleUnloadFinished(ModuleID module, HResult) {
  return guarded([&] {
    unload::unloads_here(0);
    oriel_image* image = intern_image(module);
    if (is_wanted(oriel_event_method_free)) {
      for_each_method(*image, [](oriel_method& method) {
        if (!method.unloaded.load(std::memory_order_relaxed)) raise_method_free(&method);
      });
    }
    raise_image_unloaded(image);
    after_unload(image);
    forget_executable_mappings();
  });
}

HResult Callback::ClassLoadStarted(ClassID klass) {
  return guarded([&] {
    if (is_wanted(oriel_event_class_loading)) raise_class_loading(class_of_id(info(), klass));
  });
}

HResult Callback::ClassLoadFinished(ClassID klass, HResult status) {
  return guarded([&] {
    if (failed(status)) {
      if (is_wanted(oriel_event_class_failed)) raise_class_failed(class_of_id(info(), klass));
    } else if (is_wanted(oriel_event_class_loaded)) {
      raise_class_loaded(class_of_id(info(), klass));
    }
  });
}

HResult Callback::ClassUnloadStarted(ClassID klass) {
  return guarded([&] {
    oriel_class* record = class_of_id(info(), klass);
    before_unload(record);
    raise_class_unloading(record);
  });
}

HResult Callback::ClassUnloadFinished(ClassID klass, HResult) {
  return guarded([&] {
    oriel_class* record = intern_class(klass);
    raise_class_unloaded(record);
    after_unload(record);
  });
}

}  // namespace oriel::coreclr
