/** The same in Kotlin: a batch is learned until it is known. `kotlin HabitKt IMAGES LABELS` */
import java.io.File
import java.nio.ByteBuffer
import java.nio.ByteOrder

/** How many steps it took until the loss is small. */
fun learn(digits: Digits, images: FloatArray, labels: LongArray, enough: Float = 0.1f): Int {
    digits.setLearningRate(0.02)
    var steps = 1
    while (digits.train(images, labels) > enough && steps < 1000) steps++
    return steps
}

/** The digit that an image shows. */
fun named(digits: Digits, image: FloatArray): Int {
    val chances = digits.recognize(image)
    return chances.indices.fold(0) { best, n -> if (chances[n] > chances[best]) n else best }
}

private fun read(name: String): ByteBuffer =
    ByteBuffer.wrap(File(name).readBytes()).order(ByteOrder.LITTLE_ENDIAN)

fun main(names: Array<String>) {
    val images = FloatArray(Digits.BATCH * Digits.PIXELS)
    val labels = LongArray(Digits.BATCH)
    read(names[0]).asFloatBuffer().get(images)
    read(names[1]).asLongBuffer().get(labels)
    Digits().use { digits ->
        println(if (learn(digits, images, labels) < 1000) "learned" else "not learned")
        val right = labels.indices.count { n ->
            val image = images.copyOfRange(n * Digits.PIXELS, (n + 1) * Digits.PIXELS)
            named(digits, image).toLong() == labels[n]
        }
        println("$right right")
    }
}
