/* Digits that are recognized, and learned from their user: a program around libdigits.a.

     digits STATE IMAGE.pgm          says which digit is in a picture of 28 by 28 grey values
     digits STATE IMAGE.pgm LABEL    learns that it is this one, and keeps what it has learned

   STATE is the file of what was learned; without it the library's own first values are taken. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "digits.h"

#define PIXELS (DIGITS_RUN_INPUT_0_BYTES / sizeof(float))
#define BATCH (DIGITS_STEP_INPUT_1_BYTES / sizeof(int64_t))
#define STEPS 10

static _Alignas(DIGITS_ALIGNMENT) char workspace[DIGITS_VERIFY_BYTES];
static _Alignas(DIGITS_ALIGNMENT) char state[DIGITS_STATE_BYTES];

static void end_if(int failed, const char *text) {
  if (!failed) return;
  fprintf(stderr, "digits: %s\n", text);
  exit(1);
}

static void end_at(int32_t code) { end_if(code != 0, digits_error(code)); }

/* The picture as the network takes it: from -1 to 1. */
static void read_image(const char *name, float *image) {
  unsigned char grey[PIXELS];
  int width, height, most;
  FILE *file = fopen(name, "rb");
  end_if(file == NULL, "the picture cannot be opened");
  end_if(fscanf(file, "P5 %d %d %d", &width, &height, &most) != 3, "the picture is no P5 file");
  end_if(width != 28 || height != 28 || most != 255, "the picture must be of 28 by 28 bytes");
  fgetc(file); /* the one space before the bytes */
  end_if(fread(grey, 1, PIXELS, file) != PIXELS, "the picture ends too early");
  fclose(file);
  for (size_t n = 0; n < PIXELS; n++) image[n] = grey[n] / 127.5f - 1;
}

static void read_state(const digits_model *model, const char *name) {
  FILE *file = fopen(name, "rb");
  end_at(digits_state_init(model, state, sizeof state));
  if (file == NULL) return; /* nothing was learned yet */
  end_if(fread(state, 1, sizeof state, file) != sizeof state, "the state ends too early");
  fclose(file);
}

/* Beside its place, and then into it: what was learned before is not lost where this fails. */
static void write_state(const char *name) {
  char beside[4096];
  end_if(snprintf(beside, sizeof beside, "%s.new", name) >= (int)sizeof beside, "too long a name");
  FILE *file = fopen(beside, "wb");
  end_if(file == NULL, "the state cannot be written");
  int failed = fwrite(state, 1, sizeof state, file) != sizeof state;
  end_if(fclose(file) != 0 || failed || rename(beside, name) != 0, "the state cannot be written");
}

static int recognized(const digits_model *model, const float *image, float *chances) {
  const void *inputs[] = {image};
  void *outputs[] = {chances};
  end_at(digits_run(model, state, inputs, outputs, workspace, DIGITS_WORKSPACE_BYTES));
  int best = 0;
  for (int n = 1; n < 10; n++)
    if (chances[n] > chances[best]) best = n;
  return best;
}

static float learned(const digits_model *model, const float *image, int64_t label) {
  static float images[BATCH * PIXELS], loss;
  int64_t labels[BATCH];
  for (size_t n = 0; n < BATCH; n++) {
    memcpy(images + n * PIXELS, image, PIXELS * sizeof *image);
    labels[n] = label;
  }
  const void *inputs[] = {images, labels};
  void *outputs[] = {&loss};
  for (int n = 0; n < STEPS; n++)
    end_at(digits_step(model, state, inputs, outputs, workspace, DIGITS_WORKSPACE_BYTES));
  return loss;
}

int main(int count, char **words) {
  static float image[PIXELS];
  float chances[10];
  const digits_model *model;
  end_if(count != 3 && count != 4, "expected STATE IMAGE.pgm [LABEL]");
  end_at(digits_open(&model, NULL, 0));
  end_at(digits_verify(model, workspace, sizeof workspace)); /* this processor computes it right */
  read_state(model, words[1]);
  read_image(words[2], image);
  if (count == 4) {
    printf("loss %.4f\n", learned(model, image, atoi(words[3])));
    write_state(words[1]);
  }
  int best = recognized(model, image, chances);
  printf("%d %.4f\n", best, chances[best]);
  return 0;
}
