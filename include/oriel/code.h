/* Oriel's public C API for changing code: a method's body as a graph of instructions, the metadata of its image,
 * recompilation of single methods, and data attached to the runtime's things. Include it beside oriel.h.
 *
 * A rewriter that prints a line before each return:
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
 * Types and members are named as in ILAsm (ECMA-335 II):
 *
 *     type       int32, string, object, …, or the C# keyword; Shop.Cart/Item in the image itself;
 *                [System.Console]System.Console in another assembly; `valuetype` before a value type;
 *                class [System.Runtime]System.Collections.Generic.List`1<int32>; !0 and !!0, the first parameter of a
 *                generic type or method; after a type [], [0...,0...], *, &, pinned, modreq(type), modopt(type)
 *     method     instance string [System.Runtime]System.Object::ToString()
 *                !!0 [System.Linq]System.Linq.Enumerable::First<int32>(class […]IEnumerable`1<!!0>)
 *     field      int32 Shop.Cart::total
 *     signature  void (native int, int32); preceded by `instance` if it has `this`, by `unmanaged` for a C function
 *     assembly   System.Console, or System.Console, Version=10.0.0.0, PublicKeyToken=b03f5f7f11d50a3a
 *
 * A name with characters other than letters, digits and _ . ` $ @ ? is quoted with ''. Names in the image itself are
 * looked up. For other assemblies a reference is found or made, and it is resolved when the code is compiled: if that
 * fails, the program gets a MissingMethodException or the like. Spaces between words do not matter. */
#ifndef ORIEL_CODE_H
#define ORIEL_CODE_H

#include "oriel/oriel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Instructions ---------------------------------------------------------------------------------------------- */

/* ORIEL_IL_Ldarg_0 and so on: named as in System.Reflection.Emit.OpCodes, with the encoding as the value. */
typedef enum oriel_opcode {
#define ORIEL_IL_OPCODE(spelling, name, encoding, operand, pops, pushes, flow) ORIEL_IL_##spelling = encoding,
#include "oriel/opcodes.def"
#undef ORIEL_IL_OPCODE
  ORIEL_IL_End = 0x10000 /* no instruction: the end mark behind a body's last one */
} oriel_opcode;
/* "ldarg.0"; "" if there is no such opcode. Any time; async-safe. */
ORIEL_API const char* oriel_opcode_name(oriel_opcode opcode);

/* An instruction of a body, or made for it. Like the body, it is valid only during the callback that received the body
 * and on its thread, even after it was removed. */
typedef struct oriel_instruction oriel_instruction;

/* CURRENT: the body as it stands now. BASELINE: as the profilers before this one left it. ORIGINAL: as in the metadata,
 * or as given by the last profiler that replaced the bytes (oriel_method_body_replace). */
typedef enum oriel_view { ORIEL_VIEW_CURRENT, ORIEL_VIEW_BASELINE, ORIEL_VIEW_ORIGINAL } oriel_view;

/* All of these return NULL or 0 for NULL.
 *
 * Neighbours in a view; NULL at both ends, and for an instruction that is not in the view. */
ORIEL_API oriel_instruction* oriel_instruction_next(const oriel_instruction* instruction, oriel_view view);
ORIEL_API oriel_instruction* oriel_instruction_previous(const oriel_instruction* instruction, oriel_view view);
ORIEL_API bool oriel_instruction_is_in(const oriel_instruction* instruction, oriel_view view);
/* Branches always have their long form here; short forms are chosen when the body is finished. */
ORIEL_API oriel_opcode oriel_instruction_opcode(const oriel_instruction* instruction);
/* Offset in the original view's code; ORIEL_NO_IL_OFFSET for an inserted instruction. */
ORIEL_API uint32_t oriel_instruction_offset(const oriel_instruction* instruction);
/* A constant, sign-extended; the bits of a float; a token; the index of a local variable or argument. 0 if none. */
ORIEL_API int64_t oriel_instruction_operand(const oriel_instruction* instruction);
/* Target of a branch in a view; NULL if it is no branch. */
ORIEL_API oriel_instruction* oriel_instruction_target(const oriel_instruction* instruction, oriel_view view);
/* Targets of a switch in a view: writes up to `max` cases and returns how many there are. */
ORIEL_API size_t oriel_instruction_cases(const oriel_instruction* instruction, oriel_view view,
                                         oriel_instruction** cases, size_t max);

/* ---- A body's graph: in the callback oriel_rewriter_cb -------------------------------------------------------------
 *
 * A rewriter changes a body either by bytes or by instructions. An invalid edit changes nothing. The first one is
 * remembered, and the body is refused with its message once the rewriter returns: the message and the method go to
 * stderr, and the method keeps the code that the profilers before left. A body that oriel_code_verify rejects is
 * refused too. So a rewriter need not check results.
 *
 * The stack depth, long branches, sections and the map from the code to the original's offsets (for line numbers in
 * stack traces) are computed. Prefixes (tail., constrained., volatile., …) and their instruction are one unit to all
 * edits: nothing is inserted between them. */

/* The first and the last instruction in a view; NULL if there is none, or the body cannot be read. */
ORIEL_API oriel_instruction* oriel_code_first(oriel_method_body* body, oriel_view view);
ORIEL_API oriel_instruction* oriel_code_last(oriel_method_body* body, oriel_view view);
/* The end mark: inserting before it appends, and a region that ends there ends with the code. */
ORIEL_API oriel_instruction* oriel_code_end(oriel_method_body* body);
/* The instruction at an offset of the original view's code, even if it was removed; NULL if none begins there. */
ORIEL_API oriel_instruction* oriel_code_at(oriel_method_body* body, uint32_t offset);

/* Make an instruction, to be inserted once. NULL if it is invalid; inserting NULL is an invalid edit.
 *
 * `operand` is as oriel_instruction_operand returns it, 0 if there is none. ORIEL_IL_Ldloc, Ldarg, Ldc_I4 and the like
 * get their shortest form. */
ORIEL_API oriel_instruction* oriel_code_make(oriel_method_body* body, oriel_opcode opcode, int64_t operand);
/* `text` is what the opcode takes: a method, field, type or signature as above, the string itself for ldstr, a member
 * or a type for ldtoken. */
ORIEL_API oriel_instruction* oriel_code_make_named(oriel_method_body* body, oriel_opcode opcode, const char* text);
/* `target` may be an instruction that is inserted later. */
ORIEL_API oriel_instruction* oriel_code_make_branch(oriel_method_body* body, oriel_opcode opcode,
                                                    oriel_instruction* target);
ORIEL_API oriel_instruction* oriel_code_make_switch(oriel_method_body* body, oriel_instruction* const* cases,
                                                    size_t count);

/* Whether branches to the instruction behind move to the inserted one. */
typedef enum oriel_branches { ORIEL_BRANCHES_STAY, ORIEL_BRANCHES_MOVE } oriel_branches;
/* The exception regions of an instruction that is inserted where some begin or end: those of the previous instruction,
 * those of the next one, or only those that contain both. */
typedef enum oriel_regions { ORIEL_REGIONS_OF_PREVIOUS, ORIEL_REGIONS_OF_NEXT, ORIEL_REGIONS_OF_BOTH } oriel_regions;

ORIEL_API void oriel_code_insert_before(oriel_method_body* body, oriel_instruction* at, oriel_instruction* made,
                                        oriel_branches branches, oriel_regions regions);
/* In the exception regions of `at`; branches to the next instruction do not reach it. */
ORIEL_API void oriel_code_insert_after(oriel_method_body* body, oriel_instruction* at, oriel_instruction* made);
/* Prefixes included. Branches and region boundaries at `at` move to the next instruction. */
ORIEL_API void oriel_code_remove(oriel_method_body* body, oriel_instruction* at);
/* Prefixes included; branches and region boundaries at `at` move to `made`. */
ORIEL_API void oriel_code_replace(oriel_method_body* body, oriel_instruction* at, oriel_instruction* made);
/* Before existing prefixes. */
ORIEL_API void oriel_code_add_prefix(oriel_method_body* body, oriel_instruction* to, oriel_instruction* prefix);
ORIEL_API void oriel_code_remove_prefix(oriel_method_body* body, oriel_instruction* prefix);
/* For an instruction that has an operand and is no branch. */
ORIEL_API void oriel_code_set_operand(oriel_method_body* body, oriel_instruction* at, int64_t operand);
ORIEL_API void oriel_code_retarget(oriel_method_body* body, oriel_instruction* branch, oriel_instruction* target);
ORIEL_API void oriel_code_retarget_case(oriel_method_body* body, oriel_instruction* at, size_t which,
                                        oriel_instruction* target);
/* Later cases move up. */
ORIEL_API void oriel_code_remove_case(oriel_method_body* body, oriel_instruction* at, size_t which);
/* All branches to `from` go to `to`. */
ORIEL_API void oriel_code_move_branches(oriel_method_body* body, oriel_instruction* from, oriel_instruction* to);

/* Arguments as ldarg counts them, including `this`; local variables at present. */
ORIEL_API uint32_t oriel_code_arguments(oriel_method_body* body);
ORIEL_API uint32_t oriel_code_locals(oriel_method_body* body);
/* A variable with a type. Parameters count from 0 without `this`; the position of the result is 0. */
typedef enum oriel_variable { ORIEL_LOCAL, ORIEL_PARAMETER, ORIEL_RESULT } oriel_variable;
/* Writes its readable type ("int", "Shop.Cart", "void"), terminated and cut to `size`; returns the full length, or 0 if
 * there is no such variable. */
ORIEL_API size_t oriel_code_type_of(oriel_method_body* body, oriel_variable variable, uint32_t position, char* text,
                                    size_t size);
/* Adds a local variable after the existing ones; returns its index. */
#define ORIEL_NO_LOCAL UINT32_MAX
ORIEL_API uint32_t oriel_code_add_local(oriel_method_body* body, const char* type);

/* An exception clause. Each end is exclusive: the first instruction behind the region, or the end mark. A filter ends
 * where its handler begins. */
typedef struct oriel_clause {
  oriel_clause_kind kind;
  oriel_instruction* try_begin;
  oriel_instruction* try_end;
  oriel_instruction* filter_begin; /* of a filter, else NULL */
  oriel_instruction* handler_begin;
  oriel_instruction* handler_end;
  uint32_t class_token; /* of a catch, else 0 */
} oriel_clause;
/* Writes up to `max` of the present clauses, inner ones before outer ones; returns how many there are. */
ORIEL_API size_t oriel_code_clauses(oriel_method_body* body, oriel_clause* clauses, size_t max);
/* Inserts the clause in the order that its nesting requires. */
ORIEL_API void oriel_code_add_clause(oriel_method_body* body, const oriel_clause* clause);
/* The instructions stay. Later clauses move up. */
ORIEL_API void oriel_code_remove_clause(oriel_method_body* body, size_t which);

/* The only exit of a body that was made to return in one place. */
typedef struct oriel_exit {
  oriel_instruction* first; /* reached with an empty stack: `ldloc; ret`, or `ret` alone; NULL if it never returns */
  oriel_instruction* ret;
} oriel_exit;
/* KEEP: `tail. call; ret` does not go through the exit. DROP: it becomes an ordinary call that returns there too. */
typedef enum oriel_tail_calls { ORIEL_TAIL_CALLS_KEEP, ORIEL_TAIL_CALLS_DROP } oriel_tail_calls;
/* Each return becomes a branch (in exception regions a leave) to a single one at the end; a new local variable holds
 * the result. False if refused, as above; nothing is changed then. */
ORIEL_API bool oriel_code_single_return(oriel_method_body* body, oriel_tail_calls tail_calls, oriel_exit* exit);

/* The handler put around a whole body. */
typedef struct oriel_handler {
  oriel_instruction* first; /* the handler's; that of a catch begins with the exception on the stack and takes it off */
  oriel_instruction* last;  /* endfinally, or rethrow: insert before it, ORIEL_REGIONS_OF_NEXT */
  oriel_exit exit;          /* after it, outside */
} oriel_handler;
/* Puts the whole body into an outermost try block, with a handler that only passes on: endfinally for a finally or
 * fault, `pop; rethrow` for a catch of the class. Otherwise like single_return; tail calls and jmp become ordinary
 * calls. */
ORIEL_API bool oriel_code_wrap(oriel_method_body* body, oriel_clause_kind kind, uint32_t class_token,
                               oriel_handler* handler);

/* Whether the body would be accepted as it is now: all edits were valid, and it passes the checks of
 * oriel_method_body_replace. If not, `message` (may be NULL; `size` bytes, always terminated) says why and where. */
ORIEL_API bool oriel_code_verify(oriel_method_body* body, char* message, size_t size);

/* ---- Metadata of an image ------------------------------------------------------------------------------------------
 *
 * Tokens for texts as above, for functions that take tokens and for images that are not being rewritten. A missing row
 * is made; a repeated request returns the same token. 0: impossible, and `message` (may be NULL) says why. Call these
 * while the image is loaded: in callbacks about it, or as long as its code runs. Full context. */

/* A typeDef of the image, a typeRef, or a typeSpec for a constructed type. */
ORIEL_API uint32_t oriel_image_type(oriel_image* image, const char* type, char* message, size_t size);
/* A methodDef or fieldDef of the image, a memberRef, or the methodSpec of a generic method. */
ORIEL_API uint32_t oriel_image_member(oriel_image* image, const char* member, char* message, size_t size);
/* A standAloneSig, for calli. */
ORIEL_API uint32_t oriel_image_signature(oriel_image* image, const char* signature, char* message, size_t size);
/* A string for ldstr. */
ORIEL_API uint32_t oriel_image_string(oriel_image* image, const char* text, char* message, size_t size);
/* An assemblyRef. */
ORIEL_API uint32_t oriel_image_assembly_ref(oriel_image* image, const char* assembly, char* message, size_t size);

/* The image's typeDefs; the methodDefs, then fieldDefs, of a type by name (NULL: all). Write up to `max` and return how
 * many there are. */
ORIEL_API size_t oriel_image_types(oriel_image* image, uint32_t* tokens, size_t max);
ORIEL_API size_t oriel_image_members(oriel_image* image, uint32_t type, const char* name, uint32_t* tokens, size_t max);
/* The name of a type or member as in oriel_method_name ("System.Console.WriteLine(string)"), or the text of a string:
 * terminated and cut to `size`; returns the full length, or 0 if there is no such token. */
ORIEL_API size_t oriel_image_token_name(oriel_image* image, uint32_t token, char* text, size_t size);
/* The method for a methodDef of the image; NULL if there is none. */
ORIEL_API oriel_method* oriel_image_method(oriel_image* image, uint32_t token);

/* ---- Classes as in the metadata ------------------------------------------------------------------------------------
 *
 * Where oriel_class_name and oriel_method_class show what the source says. They ask the runtime each time. Any time
 * outside gc and suspend callbacks; not async-safe. */

/* "Shop.Outer`1+Inner[System.Int32]", "System.String", "System.Char[]": terminated and cut to `size`; returns the full
 * length, or 0 if it is unknown, as of an unloaded class. */
ORIEL_API size_t oriel_class_raw_name(oriel_class* klass, char* text, size_t size);
/* The class of an array's elements; NULL if it is no array, or unknown. */
ORIEL_API oriel_class* oriel_class_element(oriel_class* klass);
/* The class that declares a method: for <AddAsync>d__3.MoveNext it is Shop.Cart+<AddAsync>d__3. NULL if it is unknown,
 * as of a dynamic method on CoreCLR. */
ORIEL_API oriel_class* oriel_method_declaring_class(oriel_method* method);

/* ---- New types and members -----------------------------------------------------------------------------------------
 *
 * They can be added while an image loads, in image_loaded callbacks about it: its types are laid out and compiled from
 * then on. Afterwards these functions fail with a message, as they do for images that the program makes at run time and
 * for what exists already. Texts and results are as above.
 *
 * `attributes` are those of ECMA-335 II.23.1.15 (types), .5 (fields) and .10 (methods). What the text implies is added:
 * static for a method without `instance`, the special names of .ctor and .cctor, the access of a nested type. */
enum {
  ORIEL_TYPE_IS_PUBLIC = 0x1,
  ORIEL_TYPE_IS_STATIC = 0x180, /* abstract and sealed */
  ORIEL_MEMBER_IS_PRIVATE = 0x1,
  ORIEL_MEMBER_IS_INTERNAL = 0x3,
  ORIEL_MEMBER_IS_PUBLIC = 0x6,
  ORIEL_FIELD_IS_STATIC = 0x10
};

/* "Shop.Added", or the nested "Shop.Cart/Added": a typeDef that extends `base`, for instance
 * "[System.Runtime]System.Object". */
ORIEL_API uint32_t oriel_image_define_type(oriel_image* image, const char* type, const char* base, uint32_t attributes,
                                           char* message, size_t size);
/* "int32 Shop.Added::count": only in a type that is new itself. */
ORIEL_API uint32_t oriel_image_define_field(oriel_image* image, const char* field, uint32_t attributes, char* message,
                                            size_t size);
/* Writes a new method's code like a rewriter: the body is empty, append before its end mark. Must not throw. */
typedef void (*oriel_body_cb)(void* data, oriel_method_body* body);
/* "int32 Shop.Added::Next(int32)": in any type of the image; a virtual method only in a type that is new itself.
 * `write` makes its code, which is checked as by oriel_code_verify; it may use what was defined before, but not this
 * method yet. From then on the method is an ordinary one: filters are asked about it, and rewriters may change it. */
ORIEL_API uint32_t oriel_image_define_method(oriel_image* image, const char* method, uint32_t attributes,
                                             oriel_body_cb write, void* data, char* message, size_t size);

/* ---- Recompiling single methods
 * ------------------------------------------------------------------------------------
 */

/* Asks the filters about this one method again and recompiles it with the rewriters' present changes, though no filter
 * was set: for a profiler whose rewriter selects methods at run time. Done soon after on the engine's own thread;
 * methods that inline it are recompiled too. Calls under way keep their code. For a generic method, `method` is that of
 * the metadata, with all its instantiations. False: it cannot be recompiled (a dynamic or unloaded method), or there is
 * no memory. Any time; not async-safe. */
ORIEL_API bool oriel_method_rejit(oriel_profiler_handle handle, oriel_method* method);
/* Takes this profiler's changes out of the method's code until it calls oriel_method_rejit for it. Changes by other
 * profilers stay. Otherwise like oriel_method_rejit. */
ORIEL_API bool oriel_method_revert(oriel_profiler_handle handle, oriel_method* method);

/* What a list of inliners may lack. */
enum {
  ORIEL_INLINERS_PRECOMPILED = 1 << 0, /* some image's precompiled code does not record its inlining */
  ORIEL_INLINERS_BEFORE = 1 << 1       /* some code was compiled before inlining was recorded (below) */
};
/* The methods whose code has, or may have, this one inlined, directly or indirectly: writes up to `max` and returns how
 * many there are. For precompiled code the runtime knows. For jitted code it is whatever the compiler was allowed to
 * inline while any profiler had a rewriter; the compiler may not have done so, so some may be too many. `unknown` (may
 * be NULL) gets an or of the above. Searches all images: takes milliseconds. Any time outside gc and suspend callbacks;
 * not async-safe. */
ORIEL_API size_t oriel_method_inliners(oriel_method* method, oriel_method** inliners, size_t max, uint32_t* unknown);

/* ---- Data attached to the runtime's things
 * -------------------------------------------------------------------------
 */

/* Called with the data once nobody can get it any more: it was replaced, its thing is gone (an unloaded assembly, a
 * freed dynamic method; after the event that reports it), or the process ends (after oriel_cleanup_cb). No lock is
 * held; the callback may call all of oriel.h except for names of the thing that were not asked for before. Must not
 * throw. */
typedef void (*oriel_data_cb)(oriel_profiler* profiler, void* data);
/* oriel_KIND_set_data attaches `data` to a thing, for the profiler, under a number of its own choice, and passes the
 * previous data to its `destroy` (may be NULL); NULL removes it. False, with nothing attached or destroyed: the thing
 * is gone, or there is no memory. oriel_KIND_data returns the data, or NULL; it is valid until `destroy` is called with
 * it, which the profiler must synchronize itself. Any time; not async-safe. */
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
