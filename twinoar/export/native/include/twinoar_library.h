/* A library that twinoar exported, loaded while a program runs: its functions, and what it tells of
   its inputs and outputs. Link the program with -ldl where the C library asks for it.

   Failures are texts in a buffer of TWINOAR_TEXT bytes that the caller gives. */
#ifndef TWINOAR_LIBRARY_H
#define TWINOAR_LIBRARY_H

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define TWINOAR_TEXT 512
#define TWINOAR_ALIGNMENT 64

typedef struct twinoar_port {
  char *name;
  char dtype[16];
  size_t rank;
  int32_t *shape;
  size_t bytes;
} twinoar_port;

typedef struct twinoar_library {
  int users; /* predictors that share it */
  void *handle;
  void *weights; /* a file that is mapped, or null where they are inside */
  size_t weights_bytes;
  const void *model;
  int32_t (*run)(const void *, const void *const *, void *const *, void *, size_t);
  /* with what runs parts of kernels, and its context; null in a library of one thread */
  int32_t (*run_threads)(const void *, const void *const *, void *const *, void *, size_t,
                         void (*)(void *, void (*)(void *, size_t), void *, size_t), void *);
  const char *(*error)(int32_t);
  size_t workspace_bytes;
  size_t counts[2]; /* inputs, outputs */
  twinoar_port *ports[2];
} twinoar_library;

static inline void *twinoar_memory(size_t count, size_t size) {
  void *found = calloc(count ? count : 1, size ? size : 1);
  if (found == NULL) {
    fputs("twinoar: there is not enough memory\n", stderr);
    abort();
  }
  return found;
}

/* So many characters of a text, and a second text, as one. */
static inline char *twinoar_joined(const char *first, size_t size, const char *second) {
  char *text = (char *)twinoar_memory(size + strlen(second) + 1, 1);
  memcpy(text, first, size);
  strcpy(text + size, second);
  return text;
}

static inline char *twinoar_copied(const char *text) {
  return twinoar_joined(text, strlen(text), "");
}

/* The description: JSON. What is read moves the position on; what is not known is passed over. */

static inline void twinoar_blanks(const char **at) {
  while (**at && strchr(" \t\r\n,:", **at)) ++*at;
}

static inline unsigned twinoar_unit(const char **at) { /* the four digits of an escape */
  unsigned unit = 0;
  int n;
  for (n = 0; n < 4 && **at; ++n, ++*at) {
    char c = **at;
    unit = unit * 16 + (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
  }
  return unit;
}

static inline char *twinoar_utf8(char *to, unsigned code) {
  if (code < 0x80) {
    *to++ = (char)code;
  } else if (code < 0x800) {
    *to++ = (char)(0xC0 | code >> 6);
    *to++ = (char)(0x80 | (code & 63));
  } else if (code < 0x10000) {
    *to++ = (char)(0xE0 | code >> 12);
    *to++ = (char)(0x80 | (code >> 6 & 63));
    *to++ = (char)(0x80 | (code & 63));
  } else {
    *to++ = (char)(0xF0 | code >> 18);
    *to++ = (char)(0x80 | (code >> 12 & 63));
    *to++ = (char)(0x80 | (code >> 6 & 63));
    *to++ = (char)(0x80 | (code & 63));
  }
  return to;
}

static inline char *twinoar_string(const char **at) {
  char *text, *to;
  twinoar_blanks(at);
  text = to = (char *)twinoar_memory(strlen(*at) + 1, 1);
  if (**at == '"') ++*at;
  while (**at && **at != '"') {
    char c = *(*at)++;
    if (c != '\\') {
      *to++ = c;
      continue;
    }
    c = *(*at)++;
    if (c == 'u') {
      unsigned code = twinoar_unit(at);
      if (code >> 10 == 0x36 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        *at += 2;
        code = 0x10000 + ((code & 1023) << 10) + (twinoar_unit(at) & 1023);
      }
      to = twinoar_utf8(to, code);
    } else {
      const char *names = "nrtbf", *found = strchr(names, c);
      *to++ = found ? "\n\r\t\b\f"[found - names] : c;
    }
  }
  if (**at) ++*at;
  return text;
}

static inline void twinoar_passed(const char **at) { /* a value, whatever it is */
  int depth = 0;
  do {
    twinoar_blanks(at);
    if (**at == '"') {
      free(twinoar_string(at));
    } else if (**at == '{' || **at == '[') {
      ++depth, ++*at;
    } else if (**at == '}' || **at == ']') {
      --depth, ++*at;
    } else {
      while (**at && !strchr(" ,:]}", **at)) ++*at;
    }
  } while (depth > 0 && **at);
}

static inline size_t twinoar_itemsize(const char *dtype) {
  static const char *const names[] = {"bool",    "int8",    "uint8",   "int16",    "float16",
                                      "bfloat16", "int32",   "float32", "int64",    "float64",
                                      "complex64", "complex128"};
  static const size_t sizes[] = {1, 1, 1, 2, 2, 2, 4, 4, 8, 8, 8, 16};
  size_t n;
  for (n = 0; n < sizeof sizes / sizeof *sizes; ++n)
    if (!strcmp(names[n], dtype)) return sizes[n];
  return 0;
}

static inline void twinoar_read_port(const char **at, twinoar_port *port) {
  memset(port, 0, sizeof *port);
  for (++*at, twinoar_blanks(at); **at && **at != '}'; twinoar_blanks(at)) {
    char *key = twinoar_string(at);
    twinoar_blanks(at);
    if (!strcmp(key, "name")) {
      port->name = twinoar_string(at);
    } else if (!strcmp(key, "dtype")) {
      char *text = twinoar_string(at);
      strncpy(port->dtype, text, sizeof port->dtype - 1);
      free(text);
    } else if (!strcmp(key, "shape")) {
      port->shape = (int32_t *)twinoar_memory(strlen(*at), sizeof(int32_t));
      for (++*at, twinoar_blanks(at); **at && **at != ']'; twinoar_blanks(at)) {
        char *end;
        port->shape[port->rank++] = (int32_t)strtol(*at, &end, 10);
        *at = end;
      }
      ++*at;
    } else {
      twinoar_passed(at);
    }
    free(key);
  }
  if (**at) ++*at;
  port->bytes = twinoar_itemsize(port->dtype);
  {
    size_t n;
    for (n = 0; n < port->rank; ++n) port->bytes *= (size_t)port->shape[n];
  }
}

static inline void twinoar_read(twinoar_library *library, const char *at) {
  for (++at, twinoar_blanks(&at); *at && *at != '}'; twinoar_blanks(&at)) {
    char *key = twinoar_string(&at);
    int side = !strcmp(key, "inputs") ? 0 : !strcmp(key, "outputs") ? 1 : -1;
    twinoar_blanks(&at);
    if (side >= 0 && *at == '[') {
      size_t room = 0;
      for (++at, twinoar_blanks(&at); *at == '{'; twinoar_blanks(&at)) {
        size_t count = library->counts[side];
        if (count == room) {
          twinoar_port *more;
          room = room ? 2 * room : 4;
          more = (twinoar_port *)twinoar_memory(room, sizeof *more);
          if (count) memcpy(more, library->ports[side], count * sizeof *more);
          free(library->ports[side]);
          library->ports[side] = more;
        }
        twinoar_read_port(&at, &library->ports[side][count]);
        library->counts[side] = count + 1;
      }
      if (*at) ++at;
    } else if (!strcmp(key, "workspace_bytes")) {
      char *end;
      library->workspace_bytes = (size_t)strtoull(at, &end, 10);
      at = end;
    } else {
      twinoar_passed(&at);
    }
    free(key);
  }
}

/* Opening and closing. */

static inline void twinoar_close(twinoar_library *library) {
  size_t side, n;
  if (library == NULL || __atomic_sub_fetch(&library->users, 1, __ATOMIC_ACQ_REL) > 0) return;
  for (side = 0; side < 2; ++side) {
    for (n = 0; n < library->counts[side]; ++n) {
      free(library->ports[side][n].name);
      free(library->ports[side][n].shape);
    }
    free(library->ports[side]);
  }
  if (library->weights) munmap(library->weights, library->weights_bytes);
  if (library->handle) dlclose(library->handle);
  free(library);
}

static inline void *twinoar_symbol(void *handle, const char *name, const char *end) {
  char *symbol = twinoar_joined(name, strlen(name), end);
  void *found = dlsym(handle, symbol);
  free(symbol);
  return found;
}

static inline int twinoar_map(twinoar_library *library, const char *path, char *text) {
  struct stat told;
  int file = open(path, O_RDONLY);
  void *memory = MAP_FAILED;
  if (file >= 0 && fstat(file, &told) == 0 && told.st_size > 0)
    memory = mmap(NULL, (size_t)told.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  if (file >= 0) close(file);
  if (memory == MAP_FAILED) {
    snprintf(text, TWINOAR_TEXT, "the weights %s cannot be read", path);
    return 0;
  }
  library->weights = memory;
  library->weights_bytes = (size_t)told.st_size;
  return 1;
}

/* The library at a path, libNAME.so, with its weights, null where they are inside; or null, and
   text tells why. */
static inline twinoar_library *twinoar_open(const char *path, const char *weights, char *text) {
  const char *file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  size_t size = strlen(file);
  twinoar_library *library = (twinoar_library *)twinoar_memory(1, sizeof *library);
  char *plain = strchr(path, '/') ? twinoar_copied(path) : twinoar_joined("./", 2, path);
  char *name = NULL;
  library->users = 1;
  library->handle = dlopen(plain, RTLD_NOW | RTLD_LOCAL);
  free(plain);
  if (library->handle == NULL) {
    const char *reason = dlerror();
    snprintf(text, TWINOAR_TEXT, "%s", reason ? reason : path);
  } else if (size < 7 || strncmp(file, "lib", 3) || strcmp(file + size - 3, ".so")) {
    snprintf(text, TWINOAR_TEXT, "%s is not called libNAME.so, as twinoar called it", path);
  } else if (weights == NULL || twinoar_map(library, weights, text)) {
    int32_t (*open_)(const void **, const void *, size_t);
    const char *(*describe)(void);
    int32_t code;
    name = twinoar_joined(file + 3, size - 6, "");
    *(void **)&open_ = twinoar_symbol(library->handle, name, "_open");
    *(void **)&describe = twinoar_symbol(library->handle, name, "_description");
    *(void **)&library->run = twinoar_symbol(library->handle, name, "_run");
    *(void **)&library->run_threads = twinoar_symbol(library->handle, name, "_run_threads");
    *(void **)&library->error = twinoar_symbol(library->handle, name, "_error");
    if (open_ && describe && library->run && library->error) {
      twinoar_read(library, describe());
      code = open_(&library->model, library->weights, library->weights_bytes);
      if (code == 0) {
        free(name);
        return library;
      }
      snprintf(text, TWINOAR_TEXT, "%s: %s", path, library->error(code));
    } else {
      snprintf(text, TWINOAR_TEXT, "%s is not a library that twinoar exported for one size", path);
    }
  }
  free(name);
  twinoar_close(library);
  return NULL;
}

/* Finding. */

static inline int twinoar_is_file(const char *path) {
  struct stat told;
  return stat(path, &told) == 0 && S_ISREG(told.st_mode);
}

/* The file PREFIX and a name inside a folder, where it is there; null else. The caller frees it. */
static inline char *twinoar_beside(const char *path, const char *prefix, const char *suffix) {
  const char *file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  const char *dot = strrchr(file, '.');
  size_t folder = (size_t)(file - path), size = dot && dot != file ? (size_t)(dot - file)
                                                                   : strlen(file);
  char *found = (char *)twinoar_memory(strlen(path) + strlen(prefix) + strlen(suffix) + 1, 1);
  memcpy(found, path, folder);
  strcpy(found + folder, prefix);
  memcpy(found + folder + strlen(prefix), file, size);
  strcpy(found + folder + strlen(prefix) + size, suffix);
  if (twinoar_is_file(found)) return found;
  free(found);
  return NULL;
}

/* The one library of a folder; null where there is none or several. */
static inline char *twinoar_in_folder(const char *folder) {
  DIR *open_ = opendir(folder);
  struct dirent *entry;
  char *found = NULL;
  int count = 0;
  if (open_ == NULL) return NULL;
  while ((entry = readdir(open_)) != NULL) {
    size_t size = strlen(entry->d_name);
    if (size < 7 || strncmp(entry->d_name, "lib", 3) || strcmp(entry->d_name + size - 3, ".so"))
      continue;
    free(found);
    found = twinoar_joined(folder, strlen(folder), "/");
    {
      char *whole = twinoar_joined(found, strlen(found), entry->d_name);
      free(found);
      found = whole;
    }
    ++count;
  }
  closedir(open_);
  if (count == 1) return found;
  free(found);
  return NULL;
}

/* Memory that begins at a multiple of TWINOAR_ALIGNMENT; `twinoar_released` frees it. */
static inline void *twinoar_aligned(size_t bytes) {
  char *whole = (char *)twinoar_memory(bytes + 2 * TWINOAR_ALIGNMENT, 1);
  size_t over = (size_t)((uintptr_t)whole % TWINOAR_ALIGNMENT);
  char *found = whole + 2 * TWINOAR_ALIGNMENT - over;
  memcpy(found - sizeof whole, &whole, sizeof whole);
  return found;
}

static inline void twinoar_released(void *memory) {
  char *whole;
  if (memory == NULL) return;
  memcpy(&whole, (char *)memory - sizeof whole, sizeof whole);
  free(whole);
}

#endif
