// A module for tests of new types and members: defines some in the image of its argument as it is loaded. In
// programs.dll it has methods of the class Edited use them, and says what is refused; in System.Console.dll,
// WriteLine(string).
#include <oriel/code.hpp>

#include <cstdio>
#include <cstring>
#include <string>

namespace {

std::string chosen;
char message[256];

bool is_chosen(oriel_profiler*, oriel_image* image) { return chosen == oriel_image_name(image); }

uint32_t type(oriel_image* image, const char* name, uint32_t attributes) {
  return oriel_image_define_type(image, name, "[System.Runtime]System.Object", attributes, message, sizeof message);
}
uint32_t field(oriel_image* image, const char* text, uint32_t attributes) {
  return oriel_image_define_field(image, text, attributes, message, sizeof message);
}
template <typename Write>
uint32_t method(oriel_image* image, const char* text, uint32_t attributes, Write write) {
  return oriel_image_define_method(
      image, text, attributes,
      [](void* data, oriel_method_body* body) {
        oriel::Code code(body);
        (*static_cast<Write*>(data))(code);
      },
      &write, message, sizeof message);
}

// static class Added { static int calls; static int Next(int of) => ++calls + of * 100; }
void define_added(oriel_image* image) {
  type(image, "Oriel.Added", ORIEL_TYPE_IS_PUBLIC | ORIEL_TYPE_IS_STATIC);
  field(image, "int32 Oriel.Added::calls", ORIEL_MEMBER_IS_PUBLIC | ORIEL_FIELD_IS_STATIC);
  method(image, "int32 Oriel.Added::Next(int32)", ORIEL_MEMBER_IS_PUBLIC, [](oriel::Code& code) {
    code.before(code.end_mark(), {code.make(ORIEL_IL_Ldsfld, "int32 Oriel.Added::calls"), code.make(ORIEL_IL_Ldc_I4, 1),
                                  code.make(ORIEL_IL_Add), code.make(ORIEL_IL_Stsfld, "int32 Oriel.Added::calls"),
                                  code.make(ORIEL_IL_Ldarg, 0), code.make(ORIEL_IL_Ldc_I4, 100),
                                  code.make(ORIEL_IL_Mul), code.make(ORIEL_IL_Ldsfld, "int32 Oriel.Added::calls"),
                                  code.make(ORIEL_IL_Add), code.make(ORIEL_IL_Ret)});
  });
}

// class Edited { private class Box(string text) { string text; public override string ToString() => text; } }
void define_box(oriel_image* image) {
  type(image, "Edited/Box", 0);
  field(image, "string Edited/Box::text", ORIEL_MEMBER_IS_PRIVATE);
  method(image, "instance void Edited/Box::.ctor(string)", ORIEL_MEMBER_IS_PUBLIC, [](oriel::Code& code) {
    code.before(code.end_mark(), {code.make(ORIEL_IL_Ldarg, 0),
                                  code.make(ORIEL_IL_Call, "instance void [System.Runtime]System.Object::.ctor()"),
                                  code.make(ORIEL_IL_Ldarg, 0), code.make(ORIEL_IL_Ldarg, 1),
                                  code.make(ORIEL_IL_Stfld, "string Edited/Box::text"), code.make(ORIEL_IL_Ret)});
  });
  constexpr uint32_t kVirtual = 0x40;
  method(image, "instance string Edited/Box::ToString()", ORIEL_MEMBER_IS_PUBLIC | kVirtual, [](oriel::Code& code) {
    code.before(code.end_mark(), {code.make(ORIEL_IL_Ldarg, 0), code.make(ORIEL_IL_Ldfld, "string Edited/Box::text"),
                                  code.make(ORIEL_IL_Ret)});
  });
}

void say(const char* what, uint32_t token) {
  std::fprintf(stderr, "definer: %s: %02x %s\n", what, token >> 24, message);
}

void try_what_is_refused(oriel_image* image) {
  const auto nothing = [](oriel::Code&) {};
  const auto returns = [](oriel::Code& code) { code.before(code.end_mark(), {code.make(ORIEL_IL_Ret)}); };
  say("again", type(image, "Oriel.Added", 0));
  say("text", type(image, "Oriel.", 0));
  say("no text", type(image, "Edited/''", 0));
  say("base", oriel_image_define_type(image, "Oriel.Other", "No.Where", 0, message, sizeof message));
  say("field of an old type", field(image, "int32 Edited::count", 0));
  say("of another image", method(image, "void [System.Console]System.Console::Beep()", 0, returns));
  say("there already", method(image, "int32 Edited::Small(int32)", 0, returns));
  say("virtual", method(image, "instance int32 Edited::Virtual()", 0x40, returns));
  say("abstract", method(image, "instance int32 Oriel.Added::Abstract()", 0x440, returns));
  say("unmanaged", method(image, "unmanaged void Oriel.Added::Native()", 0, returns));
  say("generic", method(image, "void Oriel.Added::Generic<[1]>()", 0, returns));
  say("empty", method(image, "int32 Oriel.Added::Empty()", 0, nothing));
  say("unsound", method(image, "int32 Oriel.Added::Unsound()", 0, returns));
  say("nobody", oriel_image_define_method(image, "void Oriel.Added::Nobody()", 0, nullptr, nullptr, message, 256));
}

void define(oriel_profiler*, oriel_image* image) {
  if (!is_chosen(nullptr, image)) return;
  const size_t before = oriel_image_types(image, nullptr, 0);
  define_added(image);
  if (chosen != "programs.dll") return;
  define_box(image);
  const uint32_t added = method(image, "bool Edited::IsAdded()", ORIEL_MEMBER_IS_PRIVATE, [](oriel::Code& code) {
    code.before(code.end_mark(), {code.make(ORIEL_IL_Ldc_I4, 1), code.make(ORIEL_IL_Ret)});
  });
  oriel_image_token_name(image, added, message, sizeof message);
  std::fprintf(stderr, "definer: types=%zu %s\n", oriel_image_types(image, nullptr, 0) - before, message);
  try_what_is_refused(image);
}

bool is_edited(oriel_profiler*, oriel_method* method) {
  const std::string name = oriel_method_name(method);
  return name.rfind("Edited.", 0) == 0 || name.rfind("Oriel.", 0) == 0 || name == "System.Console.WriteLine(string)";
}

void rewrite(oriel_profiler*, oriel_method* method, oriel_method_body* body) {
  const std::string name = oriel_method_short_name(method);
  oriel::Code code(body);
  const auto return_instead = [&](std::initializer_list<oriel_instruction*> made) {
    oriel_instruction* const first = code.first();
    code.before(first, made);
    code.before(first, {code.make(ORIEL_IL_Ret)});
  };
  if (name == "IsNew()") return_instead({code.make(ORIEL_IL_Call, "bool Edited::IsAdded()")});
  if (name == "Picks(int)")
    return_instead({code.make(ORIEL_IL_Ldarg, 0), code.make(ORIEL_IL_Call, "int32 Oriel.Added::Next(int32)")});
  if (name == "Name(int)")
    return_instead({code.make(ORIEL_IL_Ldstr, "boxed"),
                    code.make(ORIEL_IL_Newobj, "instance void Edited/Box::.ctor(string)"),
                    code.make(ORIEL_IL_Callvirt, "instance string [System.Runtime]System.Object::ToString()")});
  if (name == "WriteLine(string)")
    code.before(code.first(),
                {code.make(ORIEL_IL_Ldc_I4, 7), code.make(ORIEL_IL_Call, "int32 Oriel.Added::Next(int32)"),
                 code.make(ORIEL_IL_Call, "void System.Console::WriteLine(int32)")});
  if (name == "Next(int)") std::fprintf(stderr, "definer: a rewriter is asked about %s\n", oriel_method_name(method));
  if (name == "Run()") say("late", type(oriel_method_image(method), "Oriel.Late", 0));
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_definer(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_definer(const char* args) {
  chosen = args;
  oriel_profiler_handle profiler = oriel_profiler_create(nullptr);
  oriel_profiler_set_image_filter_callback(profiler, is_chosen);
  oriel_profiler_set_image_loaded_callback(profiler, define);
  oriel_profiler_set_rewriter_callbacks(profiler, is_edited, rewrite);
  return 0;
}
