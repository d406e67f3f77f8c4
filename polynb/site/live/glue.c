/* The part of the glue that is not generated: one context, memory, what has gone wrong, and the
 * host's two functions: it is called back, and asked whether isl has to stop. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name)))
#define IMPORT(name) __attribute__((import_module("polynb"), import_name(#name)))

IMPORT(call) int host_call(int user, int first, int second);
IMPORT(late) int host_late(void);

static isl_ctx *context;
static int out[4]; /* what functions give besides their results */

EXPORT(begin) isl_ctx *begin(void)
{
	context = isl_ctx_alloc();
	isl_options_set_on_error(context, ISL_ON_ERROR_CONTINUE);
	return context;
}

EXPORT(given) int given(int place)
{
	return out[place];
}

EXPORT(allocate) void *allocate(size_t size)
{
	return malloc(size);
}

EXPORT(release) void release(void *memory)
{
	free(memory);
}

EXPORT(failure) char *failure(void)
{
	const char *said = isl_ctx_last_error_msg(context);
	const char *file = isl_ctx_last_error_file(context);
	char *text = malloc(4096);

	if (text && file)
		snprintf(text, 4096, "%s in %s:%d", said ? said : "<no message>", file,
			isl_ctx_last_error_line(context));
	else if (text)
		snprintf(text, 4096, "%s", said ? said : "<no message>");
	return text;
}

/* isl calls this every 256 operations (compiling.py puts the call into isl_ctx.c). */
int polynb_late(void)
{
	return host_late();
}

static int call1(void *first, void *user)
{
	return host_call((int)user, (int)first, 0);
}

static int call2(void *first, void *second, void *user)
{
	return host_call((int)user, (int)first, (int)second);
}

EXPORT(id_alloc_with) isl_id *id_alloc_with(char *name, int user)
{
	isl_id *id = isl_id_alloc(context, name, (void *)user);

	free(name);
	return id;
}
