import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Learns the pictures in a file, and keeps what it has learned: `java Demo IMAGES LABELS STATE`. */
public final class Demo {
  public static void main(String[] names) throws Exception {
    ByteBuffer images = read(names[0]), labels = read(names[1]);
    float[] batch = new float[Digits.BATCH * Digits.PIXELS];
    long[] wanted = new long[Digits.BATCH];
    images.asFloatBuffer().get(batch);
    labels.asLongBuffer().get(wanted);
    try (Digits digits = new Digits()) {
      float first = digits.train(batch, wanted), last = first;
      for (int n = 0; n < 60; n++) last = digits.train(batch, wanted);
      System.out.println(last < first / 2 ? "learned" : "not learned: " + last);
      int right = 0;
      for (int n = 0; n < Digits.BATCH; n++) {
        float[] chances =
            digits.recognize(Arrays.copyOfRange(batch, n * Digits.PIXELS, (n + 1) * Digits.PIXELS));
        int best = 0;
        for (int k = 1; k < chances.length; k++) if (chances[k] > chances[best]) best = k;
        if (best == wanted[n]) right++;
      }
      System.out.println(right + " right");
      byte[] state = digits.state();
      Files.write(Path.of(names[2]), state);
      try (Digits other = new Digits()) {
        other.restore(state);
        System.out.println(Arrays.equals(other.state(), state) ? "restored" : "not restored");
        System.out.println(refusal(() -> other.restore(new byte[state.length])));
        System.out.println(refusal(() -> other.restore(new byte[3])));
        System.out.println(refusal(() -> other.train(batch, new long[] {1})));
        System.out.println(Arrays.equals(other.state(), state) ? "kept" : "not kept");
      }
    }
    Digits closed = new Digits();
    closed.close();
    System.out.println(refusal(closed::state));
  }

  private static ByteBuffer read(String name) throws Exception {
    return ByteBuffer.wrap(Files.readAllBytes(Path.of(name))).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static String refusal(Runnable act) {
    try {
      act.run();
      return "taken";
    } catch (RuntimeException error) {
      return error.getMessage();
    }
  }
}
