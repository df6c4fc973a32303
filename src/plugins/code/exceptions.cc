// The exception callbacks, for plug-ins that want them.
#include "plugins/profiler.h"

namespace oriel::plugins {

using Events = IInstrumentationMethodExceptionEvents;

HResult Profiler::tell(const char* what, const std::function<HResult(Events&)>& act) {
  try {
    const Plugins::All all = engine_->plugins().all();
    for (const auto& plugin : *all)
      if (plugin->exceptions) call(*plugin, what, [&](Plugin& p) { return act(*p.exceptions.get()); });
    return kOk;
  } catch (...) {
    return kOutOfMemory;
  }
}

HResult Profiler::tell_of(const char* what, FunctionID function,
                          const std::function<HResult(Events&, IMethodInfo*)>& act) {
  try {
    const ComPtr<MethodInfo> method = engine_->program().method(function);
    return method ? tell(what, [&](Events& events) { return act(events, method.get()); }) : kOk;
  } catch (...) {
    return kOutOfMemory;
  }
}

HResult Profiler::ExceptionThrown(ObjectID object) {
  return tell("ExceptionThrown", [&](Events& events) { return events.ExceptionThrown(object); });
}
HResult Profiler::ExceptionSearchFunctionEnter(FunctionID function) {
  return tell_of("ExceptionSearchFunctionEnter", function,
                 [](Events& events, IMethodInfo* method) { return events.ExceptionSearchFunctionEnter(method); });
}
HResult Profiler::ExceptionSearchFunctionLeave() {
  return tell("ExceptionSearchFunctionLeave", [](Events& events) { return events.ExceptionSearchFunctionLeave(); });
}
HResult Profiler::ExceptionSearchFilterEnter(FunctionID function) {
  return tell_of("ExceptionSearchFilterEnter", function,
                 [](Events& events, IMethodInfo* method) { return events.ExceptionSearchFilterEnter(method); });
}
HResult Profiler::ExceptionSearchFilterLeave() {
  return tell("ExceptionSearchFilterLeave", [](Events& events) { return events.ExceptionSearchFilterLeave(); });
}
HResult Profiler::ExceptionSearchCatcherFound(FunctionID function) {
  return tell_of("ExceptionSearchCatcherFound", function,
                 [](Events& events, IMethodInfo* method) { return events.ExceptionSearchCatcherFound(method); });
}
HResult Profiler::ExceptionUnwindFunctionEnter(FunctionID function) {
  return tell_of("ExceptionUnwindFunctionEnter", function,
                 [](Events& events, IMethodInfo* method) { return events.ExceptionUnwindFunctionEnter(method); });
}
HResult Profiler::ExceptionUnwindFunctionLeave() {
  return tell("ExceptionUnwindFunctionLeave", [](Events& events) { return events.ExceptionUnwindFunctionLeave(); });
}
HResult Profiler::ExceptionUnwindFinallyEnter(FunctionID function) {
  return tell_of("ExceptionUnwindFinallyEnter", function,
                 [](Events& events, IMethodInfo* method) { return events.ExceptionUnwindFinallyEnter(method); });
}
HResult Profiler::ExceptionUnwindFinallyLeave() {
  return tell("ExceptionUnwindFinallyLeave", [](Events& events) { return events.ExceptionUnwindFinallyLeave(); });
}
HResult Profiler::ExceptionCatcherEnter(FunctionID function, ObjectID object) {
  return tell_of("ExceptionCatcherEnter", function,
                 [&](Events& events, IMethodInfo* method) { return events.ExceptionCatcherEnter(method, object); });
}
HResult Profiler::ExceptionCatcherLeave() {
  return tell("ExceptionCatcherLeave", [](Events& events) { return events.ExceptionCatcherLeave(); });
}

}  // namespace oriel::plugins
