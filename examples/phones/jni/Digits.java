import java.io.Closeable;
import java.util.Objects;

/** Digits that are recognized, and learned from their user. One thread at a time uses an object. */
public final class Digits implements Closeable {
  static {
    System.loadLibrary("digits_jni");
  }

  /** Images of a step, and values of an image, which is 28 by 28 from -1 to 1. */
  public static final int BATCH = 8, PIXELS = 28 * 28;

  private long handle = open();

  /** The chance of each digit. */
  public float[] recognize(float[] image) {
    return run(opened(), image);
  }

  /** Trains one step on a batch; the loss. Throws IllegalArgumentException for other sizes. */
  public float train(float[] images, long[] labels) {
    return step(opened(), images, labels);
  }

  /** What was learned: the bytes of a safetensors file. */
  public byte[] state() {
    return stateOf(opened());
  }

  /** Goes on from such bytes. */
  public void restore(byte[] state) {
    restore(opened(), Objects.requireNonNull(state));
  }

  /** Sets the learning rate of the next steps. */
  public void setLearningRate(double rate) {
    setLearningRate(opened(), rate);
  }

  @Override
  public void close() {
    if (handle != 0) close(handle);
    handle = 0;
  }

  private long opened() {
    if (handle == 0) throw new IllegalStateException("it is closed");
    return handle;
  }

  private static native long open();
  private static native void close(long handle);
  private static native float[] run(long handle, float[] image);
  private static native float step(long handle, float[] images, long[] labels);
  private static native byte[] stateOf(long handle);
  private static native void restore(long handle, byte[] state);
  private static native void setLearningRate(long handle, double rate);
}
