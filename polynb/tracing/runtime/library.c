/* -- how much a function of the library reads --------------------------------------------
   NULL is nothing here: what the function makes of it is its own affair. */

/* A string with its end. */
size_t pn_text(const char *s) {
  return s ? strlen(s) + 1 : 0;
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
