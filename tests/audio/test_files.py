"""Files of sound are read as they were written, and what is not read says so."""

import io
import wave

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config
from twinoar.audio import backends
from twinoar.audio.datasets import ESC50, TESS
from twinoar.errors import ArgumentError, DTypeError, FileError, ShapeError, UnsupportedError


def sound(channels=2, length=50):
    rng = np.random.default_rng(0)
    return (rng.integers(-(2**15), 2**15, [channels, length]) / 2**15).astype("float32")


@pytest.fixture(params=["wave_backend", "soundfile"])
def _backend(request):
    backends.set_backend(request.param)
    yield
    backends.set_backend("wave_backend")


@pytest.mark.usefixtures("_backend")
@pytest.mark.parametrize("channels_first", [True, False])
@pytest.mark.parametrize("channels", [1, 2])
def test_a_sound_that_is_written_is_read(tmp_path, channels, channels_first):
    x = sound(channels)
    file = str(tmp_path / "a.wav")
    given = x if channels_first else x.T.copy()
    paddle.audio.save(file, paddle.to_tensor(given), 16000, channels_first)
    found, rate = paddle.audio.load(file, channels_first=channels_first)
    assert (found.dtype, rate) == (paddle.float32, 16000)
    np.testing.assert_array_equal(found.numpy(), given)
    info = paddle.audio.info(file)
    assert (info.sample_rate, info.num_samples, info.num_channels) == (16000, 50, channels)
    assert (info.bits_per_sample, info.encoding) == (16, "PCM_S")


@pytest.mark.usefixtures("_backend")
def test_a_part_of_a_sound_and_its_integers_are_read(tmp_path):
    x = sound()
    file = tmp_path / "a.wav"
    paddle.audio.save(file, paddle.to_tensor((x * 2**15).astype("int16")), 8000)
    part, _ = paddle.audio.load(file, 10, 20)
    np.testing.assert_array_equal(part.numpy(), x[:, 10:30])
    rest, _ = paddle.audio.load(file, 40)
    np.testing.assert_array_equal(rest.numpy(), x[:, 40:])
    beyond, _ = paddle.audio.load(file, 45, 20)
    assert beyond.shape == [2, 5]
    integers, _ = paddle.audio.load(file, normalize=False)
    np.testing.assert_array_equal(integers.numpy(), x * 2**15)
    with file.open("rb") as open_file:
        np.testing.assert_array_equal(paddle.audio.load(open_file)[0].numpy(), x)


def test_what_is_too_loud_is_cut_off(tmp_path):
    file = str(tmp_path / "a.wav")
    paddle.audio.save(file, paddle.to_tensor([[1.0, -1.0, 2.0, -2.0]]), 8000)
    found = paddle.audio.load(file, normalize=False)[0].tolist()
    assert found == [[32767.0, -32768.0, 32767.0, -32768.0]]


def test_flac_is_read_by_soundfile(tmp_path):
    x = sound()
    file = str(tmp_path / "a.flac")
    backends.set_backend("soundfile")
    try:
        paddle.audio.save(file, paddle.to_tensor(x), 16000)
        np.testing.assert_array_equal(paddle.audio.load(file)[0].numpy(), x)
    finally:
        backends.set_backend("wave_backend")
    with pytest.raises(FileError, match=r"no PCM16 WAV(.|\n)*soundfile"):
        paddle.audio.load(file)


def wav_of(width):
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(width)
        file.setframerate(8000)
        file.writeframes(bytes(width * 4))
    return content.getvalue()


@pytest.mark.parametrize("width", [1, 3, 4])
def test_samples_of_other_sizes_are_refused_by_the_backend_of_waves(tmp_path, width):
    file = tmp_path / "a.wav"
    file.write_bytes(wav_of(width))
    with pytest.raises(UnsupportedError, match=f"{8 * width} bits"):
        paddle.audio.load(file)
    backends.set_backend("soundfile")
    try:
        assert paddle.audio.load(file)[0].shape == [1, 4]
    finally:
        backends.set_backend("wave_backend")


@pytest.mark.usefixtures("_backend")
@pytest.mark.parametrize("content", [b"", b"RIFF", b"no sound at all" * 10, wav_of(2)[:30]])
def test_damaged_files_are_told(tmp_path, content):
    file = tmp_path / "a.wav"
    file.write_bytes(content)
    with pytest.raises(FileError, match=r"a\.wav"):
        paddle.audio.load(file)
    with pytest.raises(FileError):
        paddle.audio.info(tmp_path / "missing.wav")


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda file: paddle.audio.save(file, paddle.ones([3]), 8000), ShapeError),
        (lambda file: paddle.audio.save(file, paddle.ones([1, 3], "float64"), 8000), DTypeError),
        (
            lambda file: paddle.audio.save(file, paddle.ones([1, 3]), 8000, bits_per_sample=24),
            ArgumentError,
        ),
        (lambda file: backends.set_backend("sox"), ArgumentError),
        (lambda file: paddle.audio.load(file, frame_offset=-1), ArgumentError),
    ],
)
def test_wrong_arguments_are_told(tmp_path, call, error):
    with pytest.raises(error):
        call(str(tmp_path / "a.wav"))


def test_the_backends_that_there_are():
    assert backends.list_available_backends() == ["soundfile", "wave_backend"]
    assert backends.get_current_backend() == "wave_backend"


@pytest.fixture
def _data(tmp_path):
    esc50 = tmp_path / "ESC-50-master"
    (esc50 / "meta").mkdir(parents=True)
    lines = ["filename,fold,target,category,esc10,src_file,take"]
    for number in range(10):
        lines.append(f"{number}.wav,{number % 5 + 1},{number},x,False,1,A")
        paddle.audio.save(esc50 / "audio" / f"{number}.wav", paddle.to_tensor(sound(1, 2000)), 8000)
    (esc50 / "meta" / "esc50.csv").write_text("\n".join(lines) + "\n")
    tess = tmp_path / "TESS_Toronto_emotional_speech_set" / "OAF"
    for word, emotion in [("back", "angry"), ("bar", "ps"), ("base", "sad")]:
        file = tess / f"OAF_{word}_{emotion}.wav"
        paddle.audio.save(file, paddle.to_tensor(sound(1, 2000)), 8000)
    with config.override(data_home=tmp_path):
        yield


@pytest.mark.usefixtures("_data")
def test_recordings_of_surroundings_come_in_folds():
    train, dev = ESC50("train", split=2), ESC50("dev", split=2)
    assert (len(train), len(dev)) == (8, 2)
    assert [dev[i][1] for i in range(2)] == [1, 6]
    assert dev[0][0].shape == [2000]
    features = ESC50("dev", 2, "mfcc", n_mfcc=4, n_fft=256, n_mels=8)
    assert features[0][0].shape == [4, 32]
    assert ESC50("dev", 2, "spectrogram", n_fft=256)[0][0].shape == [129, 4]


@pytest.mark.usefixtures("_data")
def test_spoken_words_have_their_emotions():
    dev = TESS("dev", n_folds=3, split=2)
    assert [label for _, label in dev] == [5]
    assert [label for _, label in TESS("train", n_folds=3, split=2)] == [0, 6]


@pytest.mark.usefixtures("_data")
@pytest.mark.parametrize(
    "make",
    [
        lambda: ESC50(split=6),
        lambda: TESS(split=6),
        lambda: TESS(n_folds=0),
        lambda: ESC50(feat_type="cqt"),
    ],
)
def test_wrong_arguments_of_data_sets_are_told(make):
    with pytest.raises(ArgumentError):
        make()


def test_an_archive_that_cannot_be_had_says_where_to_put_it(tmp_path):
    archive = {"url": "file:///no/such/ESC-50-master.zip", "md5": "0"}
    with (
        config.override(data_home=tmp_path),
        pytest.raises(FileError, match=r"put the file at(.|\n)*ESC-50-master\.zip"),
    ):
        ESC50(archive=archive)
