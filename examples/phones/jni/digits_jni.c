/* What Digits.java calls: libdigits.a for Java and Kotlin. Each object has memory of its own. */
#include <jni.h>
#include <stdlib.h>
#include <string.h>
#include "digits.h"

#define ILLEGAL "java/lang/IllegalArgumentException"

typedef struct {
  _Alignas(DIGITS_ALIGNMENT) char state[DIGITS_STATE_BYTES];
  _Alignas(DIGITS_ALIGNMENT) char workspace[DIGITS_VERIFY_BYTES];
  _Alignas(DIGITS_ALIGNMENT) char images[DIGITS_STEP_INPUT_0_BYTES];
  _Alignas(DIGITS_ALIGNMENT) char labels[DIGITS_STEP_INPUT_1_BYTES];
  const digits_model *model;
} handle;

static handle *of(jlong number) { return (handle *)(intptr_t)number; }

static void throw(JNIEnv *env, const char *kind, const char *text) {
  jclass found = (*env)->FindClass(env, kind);
  if (found != NULL) (*env)->ThrowNew(env, found, text);
}

/* True where the code is one of a failure, which Java is told. */
static int fails(JNIEnv *env, int32_t code) {
  if (code != 0) throw(env, ILLEGAL, digits_error(code));
  return code != 0;
}

static int has_size(JNIEnv *env, jarray array, size_t size, const char *text) {
  if (array != NULL && (size_t)(*env)->GetArrayLength(env, array) == size) return 1;
  throw(env, ILLEGAL, text);
  return 0;
}

JNIEXPORT jlong JNICALL Java_Digits_open(JNIEnv *env, jclass kind) {
  (void)kind;
  handle *made = aligned_alloc(DIGITS_ALIGNMENT, sizeof(handle));
  if (made == NULL) {
    throw(env, "java/lang/OutOfMemoryError", "there is no memory for a model");
    return 0;
  }
  int32_t code = digits_open(&made->model, NULL, 0);
  if (code == 0) code = digits_verify(made->model, made->workspace, DIGITS_VERIFY_BYTES);
  if (code == 0) code = digits_state_init(made->model, made->state, DIGITS_STATE_BYTES);
  if (!fails(env, code)) return (jlong)(intptr_t)made;
  free(made);
  return 0;
}

JNIEXPORT void JNICALL Java_Digits_close(JNIEnv *env, jclass kind, jlong number) {
  (void)env, (void)kind;
  free(of(number));
}

JNIEXPORT jfloatArray JNICALL Java_Digits_run(JNIEnv *env, jclass kind, jlong number, jfloatArray image) {
  (void)kind;
  handle *it = of(number);
  jfloat chances[DIGITS_RUN_OUTPUT_0_BYTES / sizeof(jfloat)];
  const jsize pixels = DIGITS_RUN_INPUT_0_BYTES / sizeof(jfloat);
  if (!has_size(env, image, pixels, "an image has 784 values")) return NULL;
  (*env)->GetFloatArrayRegion(env, image, 0, pixels, (jfloat *)it->images);
  const void *inputs[] = {it->images};
  void *outputs[] = {chances};
  if (fails(env, digits_run(it->model, it->state, inputs, outputs, it->workspace, DIGITS_WORKSPACE_BYTES))) return NULL;
  const jsize count = sizeof chances / sizeof *chances;
  jfloatArray found = (*env)->NewFloatArray(env, count);
  if (found != NULL) (*env)->SetFloatArrayRegion(env, found, 0, count, chances);
  return found;
}

JNIEXPORT jfloat JNICALL Java_Digits_step(JNIEnv *env, jclass kind, jlong number, jfloatArray images, jlongArray labels) {
  (void)kind;
  handle *it = of(number);
  const jsize pixels = DIGITS_STEP_INPUT_0_BYTES / sizeof(jfloat), count = DIGITS_STEP_INPUT_1_BYTES / sizeof(jlong);
  float loss = 0;
  if (!has_size(env, images, pixels, "a batch has 8 images of 784 values")) return 0;
  if (!has_size(env, labels, count, "a batch has 8 labels")) return 0;
  (*env)->GetFloatArrayRegion(env, images, 0, pixels, (jfloat *)it->images);
  (*env)->GetLongArrayRegion(env, labels, 0, count, (jlong *)it->labels);
  const void *inputs[] = {it->images, it->labels};
  void *outputs[] = {&loss};
  fails(env, digits_step(it->model, it->state, inputs, outputs, it->workspace, DIGITS_WORKSPACE_BYTES));
  return loss;
}

JNIEXPORT jbyteArray JNICALL Java_Digits_stateOf(JNIEnv *env, jclass kind, jlong number) {
  (void)kind;
  jbyteArray found = (*env)->NewByteArray(env, DIGITS_STATE_BYTES);
  if (found != NULL) (*env)->SetByteArrayRegion(env, found, 0, DIGITS_STATE_BYTES, (jbyte *)of(number)->state);
  return found;
}

JNIEXPORT void JNICALL Java_Digits_restore(JNIEnv *env, jclass kind, jlong number, jbyteArray state) {
  (void)kind;
  handle *it = of(number);
  char *before = malloc(DIGITS_STATE_BYTES);
  if (before == NULL) {
    throw(env, "java/lang/OutOfMemoryError", "there is no memory for a state");
    return;
  }
  if (has_size(env, state, DIGITS_STATE_BYTES, "this is not a state of the model")) {
    memcpy(before, it->state, DIGITS_STATE_BYTES);
    (*env)->GetByteArrayRegion(env, state, 0, DIGITS_STATE_BYTES, (jbyte *)it->state);
    /* Setting what it holds anyway looks at whose state it is. */
    if (fails(env, digits_set_learning_rate(it->state, digits_learning_rate(it->state))))
      memcpy(it->state, before, DIGITS_STATE_BYTES);
  }
  free(before);
}

JNIEXPORT void JNICALL Java_Digits_setLearningRate(JNIEnv *env, jclass kind, jlong number, jdouble rate) {
  (void)kind;
  fails(env, digits_set_learning_rate(of(number)->state, rate));
}
