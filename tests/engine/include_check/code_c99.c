/* Compiling this in C99 is the test. */
#include <oriel/code.h>

static bool all(oriel_profiler* profiler, oriel_method* method) { return (void)profiler, method != NULL; }
static void rewrite(oriel_profiler* profiler, oriel_method* method, oriel_method_body* body) {
  oriel_instruction* const first = oriel_code_first(body, ORIEL_VIEW_CURRENT);
  (void)profiler, (void)method;
  oriel_code_insert_before(body, first, oriel_code_make(body, ORIEL_IL_Nop, 0), ORIEL_BRANCHES_MOVE,
                           ORIEL_REGIONS_OF_NEXT);
}

void include_check_code_c99(void) { oriel_profiler_set_rewriter_callbacks(oriel_profiler_create(NULL), all, rewrite); }
