/* Oriel's public C API for who changes code: a method's body as a graph of instructions, what its image's metadata has
 * and gets, compiling single methods anew, and data that goes with the runtime's things. Include it beside oriel.h.
 *
 * Before each return, the method says so:
 *
 *     static void rewrite(oriel_profiler* self, oriel_method* method, oriel_method_body* body) {
 *       oriel_instruction* next;
 *       for (oriel_instruction* at = oriel_code_first(body, ORIEL_VIEW_CURRENT); at; at = next) {
 *         next = oriel_instruction_next(at, ORIEL_VIEW_CURRENT);
 *         if (oriel_instruction_opcode(at) != ORIEL_IL_Ret) continue;
 *         oriel_code_insert_before(body, at, oriel_code_make_named(body, ORIEL_IL_Ldstr, "returns"),
 *                                  ORIEL_BRANCHES_MOVE, ORIEL_REGIONS_OF_NEXT);
 *         oriel_code_insert_before(body, at, oriel_code_make_named(body, ORIEL_IL_Call,
 *                                  "void [System.Console]System.Console::WriteLine(string)"),
 *                                  ORIEL_BRANCHES_STAY, ORIEL_REGIONS_OF_PREVIOUS);
 *       }
 *     }
 *
 * Types and members are named as ILAsm does (ECMA-335 II):
 *
 *     type       int32, string, object, …, or C#'s word for it; Shop.Cart/Item of the image itself;
 *                [System.Console]System.Console of another assembly; valuetype before what is one;
 *                class [System.Runtime]System.Collections.Generic.List`1<int32>; !0 and !!0, the first parameter of a
 *                generic type or method; behind a type [], [0...,0...], *, &, pinned, modreq(type), modopt(type)
 *     method     instance string [System.Runtime]System.Object::ToString()
 *                !!0 [System.Linq]System.Linq.Enumerable::First<int32>(class […]IEnumerable`1<!!0>)
 *     field      int32 Shop.Cart::total
 *     signature  void (native int, int32); before it `instance` where it has `this`, `unmanaged` if it is C's
 *     assembly   System.Console, or System.Console, Version=10.0.0.0, PublicKeyToken=b03f5f7f11d50a3a
 *
 * A name with other characters than letters, digits and _ . ` $ @ ? stands in ''. What a text names of the image itself
 * is looked up; of other assemblies a reference is found or made, and what it refers to is looked for when the code is
 * compiled: where there is none, the program gets a MissingMethodException or the like. Spaces between words do not
 * matter. */
#ifndef ORIEL_CODE_H
#define ORIEL_CODE_H

#include "oriel/oriel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Instructions ---------------------------------------------------------------------------------------------- */

/* ORIEL_IL_Ldarg_0 and so on: spelled as System.Reflection.Emit.OpCodes does, valued as encoded. */
typedef enum oriel_opcode {
#define ORIEL_IL_OPCODE(spelling, name, encoding, operand, pops, pushes, flow) ORIEL_IL_##spelling = encoding,
#include "oriel/opcodes.def"
#undef ORIEL_IL_OPCODE
  ORIEL_IL_End = 0x10000 /* no instruction: the mark behind a body's last one */
} oriel_opcode;
/* "ldarg.0"; "" of what is none. Any time; async-safe. */
ORIEL_API const char* oriel_opcode_name(oriel_opcode opcode);

/* An instruction of a body, or made for it. Valid, as the body, only during the callback that received the body, on its
 * thread; also once removed. */
typedef struct oriel_instruction oriel_instruction;

/* A body as it stands now; as the profilers before this one left it; and as the metadata has it, or the last profiler
 * that gave bytes (oriel_method_body_replace). */
typedef enum oriel_view { ORIEL_VIEW_CURRENT, ORIEL_VIEW_BASELINE, ORIEL_VIEW_ORIGINAL } oriel_view;

/* What they tell of NULL is NULL or 0.
 *
 * Neighbours in a view; NULL at both ends, and of what is not in the view. */
ORIEL_API oriel_instruction* oriel_instruction_next(const oriel_instruction* instruction, oriel_view view);
ORIEL_API oriel_instruction* oriel_instruction_previous(const oriel_instruction* instruction, oriel_view view);
ORIEL_API bool oriel_instruction_is_in(const oriel_instruction* instruction, oriel_view view);
/* Of branches always the long form: how far they reach is seen to when the body is done. */
ORIEL_API oriel_opcode oriel_instruction_opcode(const oriel_instruction* instruction);
/* Where it is in the original view's code; ORIEL_NO_IL_OFFSET of what was inserted. */
ORIEL_API uint32_t oriel_instruction_offset(const oriel_instruction* instruction);
/* A constant, with its sign; the bits of a float; a token; the index of a local variable or argument. 0 if none. */
ORIEL_API int64_t oriel_instruction_operand(const oriel_instruction* instruction);
/* Where a branch goes in a view; NULL of what is no branch. */
ORIEL_API oriel_instruction* oriel_instruction_target(const oriel_instruction* instruction, oriel_view view);
/* Where a switch goes in a view: writes `max` of its cases at most, and returns how many there are. */
ORIEL_API size_t oriel_instruction_cases(const oriel_instruction* instruction, oriel_view view,
                                         oriel_instruction** cases, size_t max);

/* ---- A body's graph: in the callback oriel_rewriter_cb -------------------------------------------------------------
 *
 * A rewriter changes a body either by bytes or by instructions. Edits are total: one that makes no sense changes
 * nothing. The first such is remembered, and the body is refused with its text once the rewriter returns: said on
 * stderr with the method, which keeps the code that the profilers before left it with. So is a body that
 * oriel_code_verify would refuse. A rewriter need not look at results, then.
 *
 * The room on the stack, long branches, sections and what maps the code to the original's offsets, for line numbers in
 * stack traces, are seen to. Prefixes (tail., constrained., volatile., …) and the instruction they are of are one
 * unit to all edits: nothing comes between them. */

/* The first and the last instruction in a view; NULL if there is none, as in a body that cannot be read. */
ORIEL_API oriel_instruction* oriel_code_first(oriel_method_body* body, oriel_view view);
ORIEL_API oriel_instruction* oriel_code_last(oriel_method_body* body, oriel_view view);
/* The mark behind the last: what is inserted before it is appended, and a region that ends there ends with the code. */
ORIEL_API oriel_instruction* oriel_code_end(oriel_method_body* body);
/* The instruction at an offset of the original view's code, also one removed since; NULL if none begins there. */
ORIEL_API oriel_instruction* oriel_code_at(oriel_method_body* body, uint32_t offset);

/* Make an instruction, to be inserted once. NULL if it makes no sense, which inserting it does not either.
 *
 * `operand` as oriel_instruction_operand tells it, 0 if there is none. ORIEL_IL_Ldloc, Ldarg, Ldc_I4 and the like
 * become their shortest form. */
ORIEL_API oriel_instruction* oriel_code_make(oriel_method_body* body, oriel_opcode opcode, int64_t operand);
/* With what `text` names, by what the opcode takes: a method, field, type or signature as above, or of ldstr the string
 * itself. Of ldtoken, a member or a type. */
ORIEL_API oriel_instruction* oriel_code_make_named(oriel_method_body* body, oriel_opcode opcode, const char* text);
/* Targets may be made, and inserted later. */
ORIEL_API oriel_instruction* oriel_code_make_branch(oriel_method_body* body, oriel_opcode opcode,
                                                    oriel_instruction* target);
ORIEL_API oriel_instruction* oriel_code_make_switch(oriel_method_body* body, oriel_instruction* const* cases,
                                                    size_t count);

/* Whether an inserted instruction takes over the branches to the one behind it. */
typedef enum oriel_branches { ORIEL_BRANCHES_STAY, ORIEL_BRANCHES_MOVE } oriel_branches;
/* In which exception regions an instruction is that is inserted where some begin or end: those of the one before it,
 * those of the one behind it, or those only that both are in. */
typedef enum oriel_regions { ORIEL_REGIONS_OF_PREVIOUS, ORIEL_REGIONS_OF_NEXT, ORIEL_REGIONS_OF_BOTH } oriel_regions;

ORIEL_API void oriel_code_insert_before(oriel_method_body* body, oriel_instruction* at, oriel_instruction* made,
                                        oriel_branches branches, oriel_regions regions);
/* In the regions of `at`; branches to what follows pass it by. */
ORIEL_API void oriel_code_insert_after(oriel_method_body* body, oriel_instruction* at, oriel_instruction* made);
/* With its prefixes. Branches and boundaries there go to the instruction behind. */
ORIEL_API void oriel_code_remove(oriel_method_body* body, oriel_instruction* at);
/* With its prefixes; `made` gets its branches and boundaries. */
ORIEL_API void oriel_code_replace(oriel_method_body* body, oriel_instruction* at, oriel_instruction* made);
/* Before the prefixes that it has. */
ORIEL_API void oriel_code_add_prefix(oriel_method_body* body, oriel_instruction* to, oriel_instruction* prefix);
ORIEL_API void oriel_code_remove_prefix(oriel_method_body* body, oriel_instruction* prefix);
/* Of an instruction that has an operand and goes nowhere. */
ORIEL_API void oriel_code_set_operand(oriel_method_body* body, oriel_instruction* at, int64_t operand);
ORIEL_API void oriel_code_retarget(oriel_method_body* body, oriel_instruction* branch, oriel_instruction* target);
ORIEL_API void oriel_code_retarget_case(oriel_method_body* body, oriel_instruction* at, size_t which,
                                        oriel_instruction* target);
/* Those behind it move up. */
ORIEL_API void oriel_code_remove_case(oriel_method_body* body, oriel_instruction* at, size_t which);
/* All branches to `from` go to `to`. */
ORIEL_API void oriel_code_move_branches(oriel_method_body* body, oriel_instruction* from, oriel_instruction* to);

/* Arguments as ldarg counts them, `this` among them; local variables of now. */
ORIEL_API uint32_t oriel_code_arguments(oriel_method_body* body);
ORIEL_API uint32_t oriel_code_locals(oriel_method_body* body);
/* What has a type: parameters count from 0 and leave out `this`; of the result the position is 0. */
typedef enum oriel_variable { ORIEL_LOCAL, ORIEL_PARAMETER, ORIEL_RESULT } oriel_variable;
/* Writes its type for people ("int", "Shop.Cart", "void"), terminated and cut to `size`; returns the length of the
 * whole. 0: there is no such variable. */
ORIEL_API size_t oriel_code_type_of(oriel_method_body* body, oriel_variable variable, uint32_t position, char* text,
                                    size_t size);
/* Adds a local variable behind those there are; its index. */
#define ORIEL_NO_LOCAL UINT32_MAX
ORIEL_API uint32_t oriel_code_add_local(oriel_method_body* body, const char* type);

/* An exception clause. Each end is the first instruction behind the region, or the mark at the body's end. A filter
 * ends where its handler begins. */
typedef struct oriel_clause {
  oriel_clause_kind kind;
  oriel_instruction* try_begin;
  oriel_instruction* try_end;
  oriel_instruction* filter_begin; /* of a filter, else NULL */
  oriel_instruction* handler_begin;
  oriel_instruction* handler_end;
  uint32_t class_token; /* of a catch, else 0 */
} oriel_clause;
/* Writes `max` of the clauses of now at most, inner ones before outer ones; returns how many there are. */
ORIEL_API size_t oriel_code_clauses(oriel_method_body* body, oriel_clause* clauses, size_t max);
/* At the place among the others where its nesting puts it. */
ORIEL_API void oriel_code_add_clause(oriel_method_body* body, const oriel_clause* clause);
/* The instructions stay. Those behind it move up. */
ORIEL_API void oriel_code_remove_clause(oriel_method_body* body, size_t which);

/* Where a body ends that was made to end in one place. */
typedef struct oriel_exit {
  oriel_instruction* first; /* reached with an empty stack: `ldloc; ret`, or `ret` alone; NULL if it never returns */
  oriel_instruction* ret;
} oriel_exit;
/* Whether `tail. call; ret` is left out of it, or becomes an ordinary call that returns there too. */
typedef enum oriel_tail_calls { ORIEL_TAIL_CALLS_KEEP, ORIEL_TAIL_CALLS_DROP } oriel_tail_calls;
/* Each return becomes a branch, out of exception regions a leave, to the one at the end; what is returned goes by a new
 * local variable. False where nothing was changed: refused, see above. */
ORIEL_API bool oriel_code_single_return(oriel_method_body* body, oriel_tail_calls tail_calls, oriel_exit* exit);

/* The handler put around a whole body. */
typedef struct oriel_handler {
  oriel_instruction* first; /* the handler's; that of a catch begins with the exception on the stack and takes it off */
  oriel_instruction* last;  /* endfinally, or rethrow: insert before it, ORIEL_REGIONS_OF_NEXT */
  oriel_exit exit;          /* behind it, outside */
} oriel_handler;
/* Puts the whole body into a try block, outermost, with a handler that only goes on: endfinally of a finally and fault,
 * `pop; rethrow` of a catch of the class. As single_return, with tail calls and jmp made ordinary calls. */
ORIEL_API bool oriel_code_wrap(oriel_method_body* body, oriel_clause_kind kind, uint32_t class_token,
                               oriel_handler* handler);

/* Whether the body as it is now would be taken: that all edits made sense, and what oriel_method_body_replace checks.
 * If not, `message` (may be NULL; `size` bytes, always terminated) says why, with the place. */
ORIEL_API bool oriel_code_verify(oriel_method_body* body, char* message, size_t size);

/* ---- Metadata of an image ------------------------------------------------------------------------------------------
 *
 * Tokens by texts as above, for what takes tokens and for images that are not being rewritten. What is not there yet is
 * made; asked again, the same token comes back. 0: it cannot be, and `message` (may be NULL) says why. While the image
 * is loaded: in callbacks about it, or as long as its code runs. Full context. */

/* A typeDef of the image, a typeRef, or the typeSpec of what is made of types. */
ORIEL_API uint32_t oriel_image_type(oriel_image* image, const char* type, char* message, size_t size);
/* A methodDef or fieldDef of the image, a memberRef, or the methodSpec of a generic method. */
ORIEL_API uint32_t oriel_image_member(oriel_image* image, const char* member, char* message, size_t size);
/* A standAloneSig, for calli. */
ORIEL_API uint32_t oriel_image_signature(oriel_image* image, const char* signature, char* message, size_t size);
/* A string for ldstr. */
ORIEL_API uint32_t oriel_image_string(oriel_image* image, const char* text, char* message, size_t size);
/* An assemblyRef. */
ORIEL_API uint32_t oriel_image_assembly_ref(oriel_image* image, const char* assembly, char* message, size_t size);

/* The image's typeDefs, and the methodDefs, then fieldDefs, of one by their name (NULL: all): write `max` at most, and
 * return how many there are. */
ORIEL_API size_t oriel_image_types(oriel_image* image, uint32_t* tokens, size_t max);
ORIEL_API size_t oriel_image_members(oriel_image* image, uint32_t type, const char* name, uint32_t* tokens, size_t max);
/* The name of a type or member as in oriel_method_name ("System.Console.WriteLine(string)"), the text of a string:
 * terminated and cut to `size`; returns the length of the whole, 0 if there is no such token. */
ORIEL_API size_t oriel_image_token_name(oriel_image* image, uint32_t token, char* text, size_t size);
/* The method of a methodDef of the image; NULL if there is none. */
ORIEL_API oriel_method* oriel_image_method(oriel_image* image, uint32_t token);

/* ---- New types and members -----------------------------------------------------------------------------------------
 *
 * An image gets them while it is loaded, in image_loaded callbacks about it: code of its types is laid out and compiled
 * from then on. Later these answer 0 and say so, as they do of images that the program makes as it runs, and of what is
 * there already. Texts, and what else is answered, as above.
 *
 * `attributes` are those of ECMA-335: II.23.1.15 of types, .5 of fields, .10 of methods. What texts tell of them is
 * seen to: of a method without instance, static; of .ctor and .cctor, their special names; of a nested type, its
 * access. */
enum {
  ORIEL_TYPE_IS_PUBLIC = 0x1,
  ORIEL_TYPE_IS_STATIC = 0x180, /* abstract and sealed */
  ORIEL_MEMBER_IS_PRIVATE = 0x1,
  ORIEL_MEMBER_IS_INTERNAL = 0x3,
  ORIEL_MEMBER_IS_PUBLIC = 0x6,
  ORIEL_FIELD_IS_STATIC = 0x10
};

/* "Shop.Added", or "Shop.Cart/Added" nested in another: a typeDef that extends `base`, as
 * "[System.Runtime]System.Object". */
ORIEL_API uint32_t oriel_image_define_type(oriel_image* image, const char* type, const char* base, uint32_t attributes,
                                           char* message, size_t size);
/* "int32 Shop.Added::count": of a type that is new itself. */
ORIEL_API uint32_t oriel_image_define_field(oriel_image* image, const char* field, uint32_t attributes, char* message,
                                            size_t size);
/* Writes a new method's code, as a rewriter does: an empty body, to be appended to before its end. Must not throw. */
typedef void (*oriel_body_cb)(void* data, oriel_method_body* body);
/* "int32 Shop.Added::Next(int32)": of any type of the image, a virtual one of a type that is new itself. Its code is
 * what `write` makes, checked as oriel_code_verify does; it may name what was defined before, not yet itself. From then
 * on the method is one like others: filters are asked about it, and rewriters may change it. */
ORIEL_API uint32_t oriel_image_define_method(oriel_image* image, const char* method, uint32_t attributes,
                                             oriel_body_cb write, void* data, char* message, size_t size);

/* ---- Compiling single methods anew ---------------------------------------------------------------------------------
 */

/* Has the filters asked about this one method again, and its code made anew of what rewriters make of it now, though no
 * filter was set: for a profiler whose rewriter chooses methods by what it learns as the program runs. Done soon after
 * on the engine's own thread; what inlines the method is compiled again with it. Calls that are under way keep the code
 * that they began with. A generic method is the metadata's, with all its instantiations. False: it has no code that
 * could be made anew (a dynamic method, one that is unloaded), or there is no memory. Any time; not async-safe. */
ORIEL_API bool oriel_method_rejit(oriel_profiler_handle handle, oriel_method* method);
/* Takes this profiler's rewriter out of the method's code, and keeps it out until it calls oriel_method_rejit of it.
 * What other profilers changed stays. Else as oriel_method_rejit. */
ORIEL_API bool oriel_method_revert(oriel_profiler_handle handle, oriel_method* method);

/* What a list of inliners cannot know. */
enum {
  ORIEL_INLINERS_PRECOMPILED = 1 << 0, /* of some image's precompiled code it is not told who inlines what */
  ORIEL_INLINERS_BEFORE = 1 << 1       /* some code was compiled before anyone listened (below) */
};
/* The methods whose code has, or may have, this one's inlined, also by way of others: writes `max` at most, and returns
 * how many there are. Of precompiled code as the runtime tells it, of code that was compiled as the program ran
 * whatever the compiler was allowed to inline while this profiler, or another, had a rewriter: it may have changed its
 * mind, so that some are too many. `unknown` (may be NULL) gets an or of the above. Looks through all images:
 * milliseconds. Any time outside gc and suspend callbacks; not async-safe. */
ORIEL_API size_t oriel_method_inliners(oriel_method* method, oriel_method** inliners, size_t max, uint32_t* unknown);

/* ---- Data that goes with the runtime's things ----------------------------------------------------------------------
 */

/* Told with the data once nobody can get it any more: another was set in its place, its thing is gone (an unloaded
 * assembly, a freed dynamic method; after the event that tells it), or the process ends (after oriel_cleanup_cb). Under
 * no lock; may call all of oriel.h but for names of the thing that were never asked for. Must not throw. */
typedef void (*oriel_data_cb)(oriel_profiler* profiler, void* data);
/* oriel_KIND_set_data keeps `data` with a thing for the profiler under a number of its own choice, and tells `destroy`
 * (may be NULL) of what was there before; NULL takes it away. False, and nothing is kept or told: the thing is gone, or
 * there is no memory.
 * oriel_KIND_data is what is kept, or NULL: valid until `destroy` is told of it, which is the profiler's to know about.
 * Any time; not async-safe. */
#define ORIEL_DATA(kind)                                                                                              \
  ORIEL_API bool oriel_##kind##_set_data(oriel_##kind* thing, oriel_profiler_handle handle, uint32_t key, void* data, \
                                         oriel_data_cb destroy);                                                      \
  ORIEL_API void* oriel_##kind##_data(const oriel_##kind* thing, oriel_profiler_handle handle, uint32_t key);
ORIEL_DATA(domain)
ORIEL_DATA(assembly)
ORIEL_DATA(image)
ORIEL_DATA(method)
#undef ORIEL_DATA

#ifdef __cplusplus
}
#endif

#endif
