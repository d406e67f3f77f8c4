/* -- how much a function of the library reads --------------------------------------------
   NULL is nothing here: what the function makes of it is its own affair. */

/* A string with its end. */
size_t pn_text(const char *s) {
  return s ? strlen(s) + 1 : 0;
}

/* The same of wide characters. */
size_t pn_wide(const void *s) {
  const int *p = s;
  size_t n = 0;
  if (!s) return 0;
  while (p[n++]);
  return n * sizeof *p;
}

size_t pn_length(const char *s, size_t most) {
  return s ? strnlen(s, most) : 0;
}

/* A string with its end, or its first bytes. */
size_t pn_first(const char *s, size_t most) {
  size_t length = pn_length(s, most);
  return length + (s && length < most);
}

/* A number, with what is before it and the character that ends it. */
size_t pn_number(const char *s) {
  const char *p = s;
  if (!s) return 0;
  while (*p == ' ' || (*p >= '\t' && *p <= '\r')) p++;
  while (*p == '+' || *p == '-' || *p == '.' || (*p >= '0' && *p <= '9') ||
         (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z'))
    p++;
  return (size_t) (p - s) + 1;
}

/* Two strings up to where they differ. */
size_t pn_compared(const char *a, const char *b, size_t most) {
  size_t n = 0;
  if (!a || !b) return 0;
  while (n < most && a[n] == b[n] && a[n]) n++;
  return n < most ? n + 1 : n;
}

/* -- files ---------------------------------------------------------------------------------
   What is written to one file is seen in its order, by whichever stream or descriptor it goes: a
   place that stands for the file, or for one more of which there are too many. */

const void *pn_order_in(int descriptor) {
  enum { FILES = 256 };
  static struct { uint64_t device, number; } known[FILES];
  static int count;
  int k = 0, error = errno;
  struct stat s;
  if (syscall(SYS_fstat, descriptor, &s)) s.st_dev = 0, s.st_ino = 0;
  errno = error;
  while (k < count && (known[k].device != s.st_dev || known[k].number != s.st_ino)) k++;
  if (k == count && count < FILES) {
    known[k].device = s.st_dev, known[k].number = s.st_ino;
    count++;
  }
  return &known[k < FILES ? k : FILES - 1];
}

/* A stream in memory is a file of its own. */
const void *pn_order_of(void *stream) {
  int error = errno, descriptor = stream ? fileno(stream) : -1;
  errno = error;
  return descriptor < 0 ? stream : pn_order_in(descriptor);
}
