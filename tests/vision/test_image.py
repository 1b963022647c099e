"""Every kind of file that somebody may hand in for a photo."""

import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
import pytest
from PIL import Image

from vision.errors import ImageError
from vision.image import Photo, decode_photo, load_photo

# Four quarters that tell every turn and mirror apart: red, green / blue, white.
WIDTH, HEIGHT = 400, 300
COLOURS = {
    "top_left": (220, 30, 30),
    "top_right": (30, 200, 30),
    "bottom_left": (30, 30, 220),
    "bottom_right": (240,) * 3,
}


def quarters() -> Image.Image:
    picture = Image.new("RGB", (WIDTH, HEIGHT), COLOURS["top_left"])
    picture.paste(COLOURS["top_right"], (WIDTH // 2, 0, WIDTH, HEIGHT))
    picture.paste(COLOURS["bottom_left"], (0, HEIGHT // 2, WIDTH // 2, HEIGHT))
    picture.paste(COLOURS["bottom_right"], (WIDTH // 2, HEIGHT // 2, WIDTH, HEIGHT))
    return picture


def saved(picture: Image.Image, file_format: str, **options: object) -> bytes:
    file = BytesIO()
    picture.save(file, file_format, **options)
    return file.getvalue()


def assert_quarters(photo: Photo, *, tolerance: int = 12) -> None:
    height, width = photo.rgb.shape[:2]
    assert photo.rgb.dtype == np.uint8
    assert photo.rgb.flags.c_contiguous
    assert (height > width) == (HEIGHT > WIDTH)
    for name, colour in COLOURS.items():
        row = height // 4 if name.startswith("top") else 3 * height // 4
        column = width // 4 if name.endswith("left") else 3 * width // 4
        assert np.abs(photo.rgb[row, column].astype(int) - colour).max() <= tolerance, name


def code_of(data: bytes) -> str:
    with pytest.raises(ImageError) as caught:
        decode_photo(data)
    return caught.value.code


FORMATS: dict[str, Callable[[], bytes]] = {
    "jpeg": lambda: saved(quarters(), "JPEG", quality=95),
    "progressive jpeg": lambda: saved(quarters(), "JPEG", quality=95, progressive=True),
    "cmyk jpeg, inverted as Adobe writes it": lambda: saved(quarters().convert("CMYK"), "JPEG", quality=95),
    "multi-picture jpeg of a phone": lambda: saved(
        quarters(), "MPO", quality=95, save_all=True, append_images=[Image.new("RGB", (WIDTH, HEIGHT))]
    ),
    "jpeg with bytes after its end": lambda: saved(quarters(), "JPEG", quality=95) + b"trailer of a motion photo" * 99,
    "jpeg with a thumbnail inside": lambda: jpeg_with_thumbnail(),
    "png": lambda: saved(quarters(), "PNG"),
    "png with a palette": lambda: saved(quarters().quantize(8), "PNG"),
    "png with alpha": lambda: saved(quarters().convert("RGBA"), "PNG"),
    "png of 16 bits a channel": lambda: cv2.imencode(".png", np.asarray(quarters())[..., ::-1].astype(np.uint16) * 257)[
        1
    ].tobytes(),
    "lossy webp": lambda: saved(quarters(), "WEBP", quality=95),
    "lossless webp with alpha": lambda: saved(quarters().convert("RGBA"), "WEBP", lossless=True),
    "heic": lambda: heic(quarters()),
    "bmp": lambda: saved(quarters(), "BMP"),
    "tiff": lambda: saved(quarters(), "TIFF"),
    "gif": lambda: saved(quarters(), "GIF"),
}


def heic(picture: Image.Image, **options: object) -> bytes:
    file = BytesIO()
    pillow_heif.from_pillow(picture).save(file, quality=95, **options)
    return file.getvalue()


def jpeg_with_thumbnail() -> bytes:
    thumbnail = saved(quarters().resize((80, 60)), "JPEG")
    plain = saved(quarters(), "JPEG", quality=95)
    segment = b"\xff\xe1" + struct.pack(">H", len(thumbnail) + 2) + thumbnail
    return plain[:2] + segment + plain[2:]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_upright_picture(name: str) -> None:
    photo = decode_photo(FORMATS[name]())
    assert photo.original_size == (HEIGHT, WIDTH)
    assert photo.scale == 1.0
    assert photo.notes == ()
    assert_quarters(photo)


# What a camera stores so that a viewer shows `quarters()` upright: the inverse of each EXIF orientation.
STORED = {
    1: lambda picture: picture,
    2: lambda picture: picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT),
    3: lambda picture: picture.transpose(Image.Transpose.ROTATE_180),
    4: lambda picture: picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM),
    5: lambda picture: picture.transpose(Image.Transpose.TRANSPOSE),
    6: lambda picture: picture.transpose(Image.Transpose.ROTATE_90),
    7: lambda picture: picture.transpose(Image.Transpose.TRANSVERSE),
    8: lambda picture: picture.transpose(Image.Transpose.ROTATE_270),
}


@pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP", "TIFF", "HEIF"])
@pytest.mark.parametrize("orientation", STORED)
def test_exif_turns_and_mirrors_are_undone(orientation: int, file_format: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored = STORED[orientation](quarters())
    photo = decode_photo(saved(stored, file_format, quality=95, exif=exif.tobytes()))
    assert photo.original_size == (HEIGHT, WIDTH)
    assert_quarters(photo)


def test_an_orientation_that_exif_does_not_know_is_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 77
    assert_quarters(decode_photo(saved(quarters(), "JPEG", quality=95, exif=exif)))


@pytest.mark.parametrize("file_format", ["PNG", "JPEG"])
def test_grayscale_becomes_three_equal_channels(file_format: str) -> None:
    photo = decode_photo(saved(quarters().convert("L"), file_format))
    assert photo.rgb.shape == (HEIGHT, WIDTH, 3)
    assert np.array_equal(photo.rgb[..., 0], photo.rgb[..., 2])


def test_sixteen_bit_grayscale_keeps_its_brightness() -> None:
    gray = np.full((HEIGHT, WIDTH), 0x8040, np.uint16)
    photo = decode_photo(cv2.imencode(".png", gray)[1].tobytes())
    assert (photo.rgb == 0x80).all()


@pytest.mark.parametrize("mode", ["RGBA", "LA", "PA"])
def test_transparency_is_laid_on_white(mode: str) -> None:
    clear = Image.new("RGBA", (WIDTH, HEIGHT), (0, 0, 0, 0))
    data = saved(clear.convert("RGBA" if mode == "PA" else mode), "WEBP" if mode == "PA" else "PNG", lossless=True)
    assert (decode_photo(data).rgb == 255).all()


def test_a_palette_with_a_transparent_colour_is_laid_on_white() -> None:
    picture = Image.new("P", (WIDTH, HEIGHT), 0)
    picture.putpalette([10, 10, 10])
    assert (decode_photo(saved(picture, "PNG", transparency=0)).rgb == 255).all()


@pytest.mark.parametrize("file_format", ["GIF", "WEBP", "PNG"])
def test_of_an_animation_the_first_frame_is_read_and_said(file_format: str) -> None:
    other = Image.new("RGB", (WIDTH, HEIGHT), "black")
    data = saved(quarters(), file_format, save_all=True, append_images=[other], lossless=True, duration=100)
    photo = decode_photo(data)
    assert_quarters(photo)
    assert "first frame" in photo.notes[0]


def test_the_focal_length_is_read_where_a_camera_wrote_one() -> None:
    exif = Image.Exif()
    exif.get_ifd(0x8769)[0xA405] = 26
    assert decode_photo(saved(quarters(), "JPEG", exif=exif)).exif_focal_35mm == 26.0
    exif.get_ifd(0x8769)[0xA405] = 0  # unknown, says the standard
    assert decode_photo(saved(quarters(), "JPEG", exif=exif)).exif_focal_35mm is None
    assert decode_photo(saved(quarters(), "JPEG")).exif_focal_35mm is None


def test_a_wide_colour_profile_is_ignored() -> None:
    from PIL import ImageCms

    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    assert_quarters(decode_photo(saved(quarters(), "JPEG", quality=95, icc_profile=profile)))


def test_the_name_of_a_file_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "board.jpg"
    path.write_bytes(saved(quarters(), "PNG"))
    assert_quarters(load_photo(path))


def test_a_large_photo_is_reduced_to_the_working_size() -> None:
    photo = decode_photo(saved(quarters().resize((6000, 4500)), "JPEG"))
    assert photo.original_size == (4500, 6000)
    assert 15_900_000 < photo.rgb.shape[0] * photo.rgb.shape[1] <= 16_000_000
    assert photo.scale == pytest.approx(photo.rgb.shape[0] / 4500, rel=1e-3)
    assert "reduced" in photo.notes[0]
    assert_quarters(photo)


# --- files that are refused ---


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (b"", "image_empty", "0 bytes"),
        (b"Woof! This is dog.txt.\n" * 50, "not_an_image", "text"),
        ("Größe".encode() * 900, "not_an_image", "text"),
        (b"%PDF-1.7\n...", "not_an_image", "PDF"),
        (b"PK\x03\x04" + bytes(60), "not_an_image", "ZIP"),
        (struct.pack(">I", 24) + b"ftypisom" + bytes(12) + bytes(200), "not_an_image", "video"),
        (bytes(range(256)) * 8, "not_an_image", "unknown"),
        (b"BM for beginners: a text that begins like a bitmap", "not_an_image", "text"),
        (b"\xff\xd8", "not_an_image", "JPEG"),
        (b"\xff\xd8\xff\xe0\0\x10" + b"rubbish" * 100, "image_damaged", "cannot be decoded"),
        (b"\x89PNG\r\n\x1a\n" + b"rubbish" * 100 + b"IEND", "image_truncated", "truncated"),
        (b"RIFF\x40\0\0\0WEBP" + b"rubbish" * 100, "image_damaged", "cannot be decoded"),
        (b"II*\x00" + b"rubbish" * 100, "image_damaged", "cannot be decoded"),
    ],
)
def test_what_is_no_photo_is_refused_with_what_it_is(data: bytes, code: str, words: str) -> None:
    with pytest.raises(ImageError, match=words) as caught:
        decode_photo(data)
    assert caught.value.code == code


@pytest.mark.parametrize("share", [0.02, 0.35, 0.7, 0.95])
@pytest.mark.parametrize("name", [name for name in FORMATS if "bytes after" not in name and "multi" not in name])
def test_a_truncated_file_is_called_truncated(name: str, share: float) -> None:
    whole = FORMATS[name]()
    assert code_of(whole[: max(int(len(whole) * share), 16)]) == "image_truncated"


def test_a_truncated_jpeg_is_not_saved_by_the_end_of_its_thumbnail() -> None:
    whole = jpeg_with_thumbnail()
    assert code_of(whole[:-2]) == "image_truncated"


def test_a_flipped_byte_never_gives_anything_but_an_image_error() -> None:
    rng = np.random.default_rng(3)
    for name in FORMATS:
        whole = FORMATS[name]()
        for _ in range(20):
            damaged = bytearray(whole)
            damaged[rng.integers(0, min(len(whole), 600))] ^= 1 << int(rng.integers(0, 8))
            try:
                decode_photo(bytes(damaged))
            except ImageError as error:
                assert str(error)  # noqa: PT017


def png_declaring(width: int, height: int) -> bytes:
    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(999))) + chunk(b"IEND", b"")
    )


def test_a_decompression_bomb_is_refused_by_its_declared_size() -> None:
    with pytest.raises(ImageError, match=r"50000 x 50000.*limit is 128") as caught:
        decode_photo(png_declaring(50_000, 50_000))
    assert caught.value.code == "image_too_large"


@pytest.mark.parametrize(("size", "code"), [((120, 400), "image_too_small"), ((3000, 300), "image_too_narrow")])
def test_pictures_no_board_fits_on_are_refused(size: tuple[int, int], code: str) -> None:
    assert code_of(saved(Image.new("RGB", size), "PNG")) == code


def test_a_file_over_the_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.jpg"
    with path.open("wb") as file:
        file.truncate(10**12)  # sparse: takes no space
    with pytest.raises(ImageError, match="limit is 80 MB") as caught:
        load_photo(path)
    assert caught.value.code == "file_too_large"


# --- memory: the largest photos in under 1.5 GB ---

MEASURE = """
import pathlib, re, sys
from vision.image import load_photo
photo = load_photo(sys.argv[1])
assert min(photo.original_size) >= 7_900
assert photo.rgb.shape[0] * photo.rgb.shape[1] <= 16_000_000, photo.rgb.shape
print(re.search(r"VmHWM:\\s+(\\d+) kB", pathlib.Path("/proc/self/status").read_text())[1])
"""


def peak_bytes(path: Path) -> int:
    """The peak memory of a process that decodes the photo and nothing else."""
    run = subprocess.run([sys.executable, "-c", MEASURE, str(path)], capture_output=True, text=True, check=True)
    return int(run.stdout) * 1024


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc")
@pytest.mark.parametrize(
    ("side_px", "mode", "file_format", "options"),
    [
        (10_000, "RGB", "JPEG", {}),
        (10_000, "RGB", "JPEG", {"progressive": True}),
        pytest.param(11_300, "CMYK", "JPEG", {"progressive": True}, marks=pytest.mark.slow),
        pytest.param(11_300, "RGBA", "PNG", {"compress_level": 1}, marks=pytest.mark.slow),
        pytest.param(8_000, "RGBA", "WEBP", {"method": 0}, marks=pytest.mark.slow),
        pytest.param(8_000, "RGB", "HEIF", {}, marks=pytest.mark.slow),
    ],
)
def test_the_largest_photos_take_under_1500_megabytes(
    tmp_path: Path, side_px: int, mode: str, file_format: str, options: dict[str, object]
) -> None:
    path = tmp_path / "large"
    Image.new(mode, (side_px, side_px)).save(path, file_format, **options)
    peak = peak_bytes(path)
    print(f"{peak / 1e6:.0f} MB")
    assert peak < 1_500_000_000
