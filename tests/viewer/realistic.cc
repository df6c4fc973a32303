#include "viewer/realistic.h"

#include <random>

#include "exports/build_profile.h"

namespace oriel::testing {
namespace {

struct Origin {
  const char* module;
  bool managed;
};
constexpr Origin kCompiler = {"Microsoft.CodeAnalysis.CSharp.dll", true};
constexpr Origin kCommon = {"Microsoft.CodeAnalysis.dll", true};
constexpr Origin kCore = {"System.Private.CoreLib.dll", true};
constexpr Origin kRuntime = {"libcoreclr.so", false};
constexpr Origin kJit = {"libclrjit.so", false};
constexpr Origin kC = {"libc.so.6", false};

class Walker {
 public:
  explicit Walker(ProfileBuilder& builder) : builder_(builder) {}

  Walker& begin() {
    stack_.clear();
    return *this;
  }
  Walker& in(const Origin& origin, const std::string& name, const std::string& raw = "") {
    stack_.push_back(builder_.function(name, origin.module, origin.managed, raw));
    return *this;
  }
  uint32_t pick(uint32_t below) { return std::uniform_int_distribution<uint32_t>(0, below - 1)(random_); }
  bool chance(double share) { return std::uniform_real_distribution<>(0, 1)(random_) < share; }
  void hit(uint32_t thread) { builder_.sample(thread, builder_.stack(stack_)); }

  void allocate() {
    in(kRuntime, "JIT_New(CORINFO_CLASS_STRUCT_*)").in(kRuntime, "AllocateObject(MethodTable*)");
    if (chance(0.3))
      in(kRuntime, "WKS::gc_heap::try_allocate_more_space(alloc_context*, unsigned long, unsigned int, int)");
    if (chance(0.4)) in(kC, "__memset_avx2_unaligned_erms");
  }

  void compile_method() {
    in(kRuntime, "ThePreStub").in(kRuntime, "MethodDesc::DoPrestub(MethodTable*, CallerGCMode)");
    in(kRuntime, "UnsafeJitFunction(PrepareCodeConfig*, COR_ILMETHOD_DECODER*, CORJIT_FLAGS*, unsigned int*)");
    in(kJit, "CILJit::compileMethod(ICorJitInfo*, CORINFO_METHOD_INFO*, unsigned int, unsigned char**, unsigned int*)");
    in(kJit, "Compiler::compCompile(void**, unsigned int*, JitFlags*)");
    static const char* const phases[] = {"Compiler::fgMorph()", "LinearScan::doLinearScan()", "Compiler::fgInline()",
                                         "CodeGen::genGenerateCode(void**, unsigned int*)", "Compiler::optValnumCSE()"};
    in(kJit, phases[pick(5)]);
    if (chance(0.5)) in(kJit, "[libclrjit.so]");
  }

  // A statement of random shape: binder calls binder, down to lookups, allocations or JIT work.
  void bind(uint32_t budget) {
    static const char* const kinds[] = {"Expression", "Statement",    "Block",   "IfStatement",      "Invocation",
                                        "Lambda",     "MemberAccess", "ForEach", "LocalDeclaration", "BinaryOperator"};
    uint32_t kind = pick(3);
    for (uint32_t i = 0; i < budget; ++i) {
      in(kCompiler, std::string("Microsoft.CodeAnalysis.CSharp.Binder.Bind") + kinds[kind] +
                        "(Microsoft.CodeAnalysis.CSharp.Syntax." + kinds[kind] +
                        "Syntax, Microsoft.CodeAnalysis.CSharp.BindingDiagnosticBag)");
      kind = (kind + 1 + pick(3)) % 10;
    }
    if (chance(0.5)) {
      in(kCompiler,
         "Microsoft.CodeAnalysis.CSharp.Binder.LookupSymbolsInType(Microsoft.CodeAnalysis.CSharp.LookupResult, "
         "Microsoft.CodeAnalysis.CSharp.Symbols.TypeSymbol, string, int)");
      in(kCore,
         "System.Collections.Generic.Dictionary<System.ReadOnlyMemory<char>, System.Collections.Immutable."
         "ImmutableArray<Microsoft.CodeAnalysis.CSharp.Symbol>>.FindValue(System.ReadOnlyMemory<char>)");
      if (chance(0.5)) in(kCore, "System.Marvin.ComputeHash32(ref byte, uint, uint, uint)");
    } else if (chance(0.4)) {
      allocate();
    } else if (chance(0.15)) {
      compile_method();
    }
  }

  void emit(uint32_t budget) {
    in(kCompiler, "Microsoft.CodeAnalysis.CSharp.CodeGen.CodeGenerator.Generate(out bool)");
    for (uint32_t i = 0; i < budget; ++i) {
      in(kCompiler, pick(2) == 0 ? "Microsoft.CodeAnalysis.CSharp.CodeGen.CodeGenerator.EmitStatement(Microsoft."
                                   "CodeAnalysis.CSharp.BoundStatement)"
                                 : "Microsoft.CodeAnalysis.CSharp.CodeGen.CodeGenerator.EmitExpression(Microsoft."
                                   "CodeAnalysis.CSharp.BoundExpression, bool)");
    }
    if (chance(0.3))
      in(kCommon, "Microsoft.CodeAnalysis.CodeGen.ILBuilder.EmitOpCode(System.Reflection.Metadata.ILOpCode)");
    if (chance(0.2)) allocate();
  }

 private:
  ProfileBuilder& builder_;
  std::vector<uint32_t> stack_;
  std::mt19937 random_{20260101};
};

void main_thread(Walker& walk, uint32_t thread) {
  walk.begin().in(kC, "_start").in(kC, "__libc_start_main_impl").in({"dotnet", false}, "main");
  walk.in({"libhostfxr.so", false}, "hostfxr_main_startupinfo").in({"libhostpolicy.so", false}, "corehost_main");
  walk.in(kRuntime, "coreclr_execute_assembly").in(kRuntime, "RunMain(MethodDesc*, short, int*, PtrArray**)");
  walk.in({"csc.dll", true}, "Microsoft.CodeAnalysis.CSharp.CommandLine.Program.Main(string[])");
  walk.in(kCommon,
          "Microsoft.CodeAnalysis.CommonCompiler.Run(System.IO.TextWriter, System.Threading.CancellationToken)");
  if (walk.chance(0.35)) {
    walk.in(kCompiler,
            "Microsoft.CodeAnalysis.CSharp.CSharpCompiler.ParseFile(Microsoft.CodeAnalysis.CommandLineSourceFile, ref "
            "bool)");
    walk.in(kCompiler, "Microsoft.CodeAnalysis.CSharp.Syntax.InternalSyntax.LanguageParser.ParseCompilationUnit()");
    if (walk.chance(0.6))
      walk.in(kCompiler,
              "Microsoft.CodeAnalysis.CSharp.Syntax.InternalSyntax.Lexer.Lex(ref "
              "Microsoft.CodeAnalysis.CSharp.Syntax.InternalSyntax.LexerMode)");
    if (walk.chance(0.2)) walk.allocate();
  } else {
    walk.in(kCommon, "Microsoft.CodeAnalysis.Compilation.Emit(System.IO.Stream, System.IO.Stream)");
    walk.in(kCompiler,
            "Microsoft.CodeAnalysis.CSharp.CSharpCompilation.CompileMethods(Microsoft.CodeAnalysis.Emit."
            "CommonPEModuleBuilder, bool)");
    walk.emit(1 + walk.pick(10));
  }
  walk.hit(thread);
}

void worker(Walker& walk, uint32_t thread) {
  walk.begin().in(kC, "__clone3").in(kC, "start_thread").in(kRuntime, "CorUnix::CPalThread::ThreadEntry(void*)");
  walk.in(kRuntime, "ThreadNative::KickOffThread(void*)");
  walk.in(kCore, "System.Threading.PortableThreadPool.WorkerThread.WorkerThreadStart()");
  walk.in(kCore, "System.Threading.ThreadPoolWorkQueue.Dispatch()");
  walk.in(kCompiler,
          "Microsoft.CodeAnalysis.CSharp.MethodCompiler.CompileMethodAsync(Microsoft.CodeAnalysis.CSharp.Symbols."
          "MethodSymbol, int)",
          "Microsoft.CodeAnalysis.CSharp.MethodCompiler.<CompileMethodAsync>d__23.MoveNext");
  if (walk.chance(0.75))
    walk.in(kCompiler,
            "Microsoft.CodeAnalysis.CSharp.MethodCompiler.BindMethodBody(Microsoft.CodeAnalysis.CSharp.Symbols."
            "MethodSymbol)")
        .bind(1 + walk.pick(14));
  else
    walk.emit(1 + walk.pick(6));
  walk.hit(thread);
}

void tiering(Walker& walk, uint32_t thread) {
  walk.begin().in(kC, "__clone3").in(kC, "start_thread").in(kRuntime, "CorUnix::CPalThread::ThreadEntry(void*)");
  walk.in(kRuntime, "TieredCompilation::BackgroundWorkerStart()");
  walk.compile_method();
  walk.hit(thread);
}

}  // namespace

profile::Profile realistic_profile(uint32_t samples) {
  ProfileBuilder builder;
  Walker walk(builder);
  const uint32_t main = builder.thread("", 20414);
  uint32_t workers[3];
  for (uint32_t i = 0; i < 3; ++i) workers[i] = builder.thread(".NET TP Worker", 20431 + i);
  const uint32_t tier = builder.thread(".NET Tiered Compilation Worker", 20440);
  for (uint32_t i = 0; i < samples; ++i) {
    const uint32_t turn = walk.pick(10);
    if (turn < 4)
      main_thread(walk, main);
    else if (turn < 9)
      worker(walk, workers[turn % 3]);
    else
      tiering(walk, tier);
  }
  profile::Profile& profile = builder.profile();
  profile.intro.properties = {
      {"command", "dotnet /usr/lib/dotnet/sdk/10.0.112/Roslyn/bincore/csc.dll @generated.rsp -out:big.dll -optimize+"},
      {"pid", "20414"},
      {"runtime", ".NET 10.0.12"},
      {"cwd", "/home/user/shop"}};
  profile.start_unix_us = 1'763'730'000'000'000;
  profile.wall_ns = static_cast<int64_t>(samples) * 610'000;
  profile.usage.user_us = samples * 950ull;
  profile.usage.system_us = samples * 60ull;
  profile.usage.max_rss_kb = 412'000;
  profile.lost = {{"no-memory", 0}, {"unwind-failed", samples / 90}, {"buffer-full", samples / 2000}};
  return profile;
}

}  // namespace oriel::testing
