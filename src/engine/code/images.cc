// Modules' access to images' metadata (oriel/code.h).
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "engine/code/editor.h"
#include "engine/code/method_body.h"
#include "engine/engine.h"
#include "engine/or_else.h"

namespace oriel {
namespace {

// The token returned by ask(editor); or 0, and the reason in `message`.
template <typename Ask>
uint32_t answer(oriel_image* image, char* message, size_t size, Ask ask) {
  const auto say = [&](const char* what) {
    if (message && size > 0) std::snprintf(message, size, "%s", what);
  };
  say("out of memory");
  return or_else(uint32_t{0}, [&]() -> uint32_t {
    CodeEditor* const editor = editor_of(image);
    if (!editor) return say("there is no such image, or this runtime's code cannot be changed"), 0;
    const Result<uint32_t> token = ask(*editor);
    say(token ? "" : token.message().c_str());
    return token ? *token : 0;
  });
}

std::string text_of(const char* text) { return text ? text : ""; }

uint32_t token_of(oriel_image* image, NamedToken kind, const char* text, char* message, size_t size) {
  return answer(image, message, size, [&](CodeEditor& editor) { return editor.token(*image, kind, text_of(text)); });
}

size_t copy_out(const std::vector<uint32_t>& all, uint32_t* tokens, size_t max) {
  if (tokens) std::copy_n(all.begin(), std::min(max, all.size()), tokens);
  return all.size();
}

}  // namespace

CodeEditor* editor_of(const oriel_image* image) {
  Runtime* const runtime = runtime_to_ask();
  return runtime && image && !image->unloaded.load(std::memory_order_acquire) ? runtime->code_editor() : nullptr;
}

}  // namespace oriel

uint32_t oriel_image_type(oriel_image* image, const char* type, char* message, size_t size) {
  return oriel::token_of(image, oriel::NamedToken::kType, type, message, size);
}

uint32_t oriel_image_member(oriel_image* image, const char* member, char* message, size_t size) {
  return oriel::token_of(image, oriel::NamedToken::kMember, member, message, size);
}

uint32_t oriel_image_signature(oriel_image* image, const char* signature, char* message, size_t size) {
  return oriel::token_of(image, oriel::NamedToken::kSignature, signature, message, size);
}

uint32_t oriel_image_string(oriel_image* image, const char* text, char* message, size_t size) {
  return oriel::token_of(image, oriel::NamedToken::kString, text, message, size);
}

uint32_t oriel_image_assembly_ref(oriel_image* image, const char* assembly, char* message, size_t size) {
  return oriel::token_of(image, oriel::NamedToken::kAssembly, assembly, message, size);
}

uint32_t oriel_image_define_type(oriel_image* image, const char* type, const char* base, uint32_t attributes,
                                 char* message, size_t size) {
  return oriel::answer(image, message, size, [&](oriel::CodeEditor& editor) {
    return editor.define_type(*image, oriel::text_of(type), oriel::text_of(base), attributes);
  });
}

uint32_t oriel_image_define_field(oriel_image* image, const char* field, uint32_t attributes, char* message,
                                  size_t size) {
  return oriel::answer(image, message, size, [&](oriel::CodeEditor& editor) {
    return editor.define_field(*image, oriel::text_of(field), attributes);
  });
}

uint32_t oriel_image_define_method(oriel_image* image, const char* method, uint32_t attributes, oriel_body_cb write,
                                   void* data, char* message, size_t size) {
  using oriel::Result, oriel::CodeSite;
  return oriel::answer(image, message, size, [&](oriel::CodeEditor& editor) -> Result<uint32_t> {
    if (!write) return oriel::Status::error("a new method needs somebody who writes its code");
    return editor.define_method(*image, oriel::text_of(method), attributes,
                                [&](CodeSite& site) { return oriel::written_body(site, write, data); });
  });
}

size_t oriel_image_types(oriel_image* image, uint32_t* tokens, size_t max) {
  return oriel::or_else(size_t{0}, [&]() -> size_t {
    oriel::CodeEditor* const editor = oriel::editor_of(image);
    return editor ? oriel::copy_out(editor->types(*image), tokens, max) : 0;
  });
}

size_t oriel_image_members(oriel_image* image, uint32_t type, const char* name, uint32_t* tokens, size_t max) {
  return oriel::or_else(size_t{0}, [&]() -> size_t {
    oriel::CodeEditor* const editor = oriel::editor_of(image);
    return editor ? oriel::copy_out(editor->members(*image, type, name), tokens, max) : 0;
  });
}

size_t oriel_image_token_name(oriel_image* image, uint32_t token, char* text, size_t size) {
  if (text && size > 0) text[0] = '\0';
  return oriel::or_else(size_t{0}, [&]() -> size_t {
    oriel::CodeEditor* const editor = oriel::editor_of(image);
    if (!editor) return 0;
    const std::string name = editor->token_name(*image, token);
    if (text) std::snprintf(text, size, "%s", name.c_str());
    return name.size();
  });
}

oriel_method* oriel_image_method(oriel_image* image, uint32_t token) {
  return oriel::or_else<oriel_method*>(nullptr, [&]() -> oriel_method* {
    oriel::CodeEditor* const editor = oriel::editor_of(image);
    return editor ? editor->method(*image, token) : nullptr;
  });
}
