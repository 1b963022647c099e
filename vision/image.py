"""Bytes of a photo -> upright RGB pixels, within limits: the only decoder of the project."""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from math import sqrt
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
from numpy.typing import NDArray
from PIL import ExifTags, Image, UnidentifiedImageError

from vision.errors import (
    DamagedImage,
    EmptyImage,
    FileTooLarge,
    ImageError,
    ImageTooLarge,
    ImageTooNarrow,
    ImageTooSmall,
    NotAnImage,
    TruncatedImage,
)
from vision.filetype import FileType, describe, is_cut_short, picture_type
from vision.settings import load_section

Pixels = NDArray[np.uint8]

pillow_heif.register_heif_opener()
# Pillow's own guard warns at 89 megapixels and refuses at 179; `_check_size` is stricter and names its limit.
Image.MAX_IMAGE_PIXELS = None
# Pillow warns of harmless slips in EXIF blocks and goes on; they would land between the lines of the command's output.
warnings.filterwarnings("ignore", category=UserWarning, module=r"PIL\.")

_FORMATS = "JPEG, PNG, WebP, HEIC, TIFF, BMP or GIF"
_REDUCED = {
    1: 0,
    2: cv2.IMREAD_REDUCED_GRAYSCALE_2,
    4: cv2.IMREAD_REDUCED_GRAYSCALE_4,
    8: cv2.IMREAD_REDUCED_GRAYSCALE_8,
}
"""What asks libjpeg for a size; with IMREAD_COLOR_RGB the picture is in colour all the same."""
# Words in the decoders' messages that mean "more bytes were expected".
_CUT_SHORT_WORDS = ("truncat", "eof", "end of file", "end-of-file", "premature", "insufficient", "not enough")


@dataclass(frozen=True, slots=True)
class ImageSettings:
    """Limits of the decoder: section `[image]` of settings.toml."""

    max_file_bytes: int
    max_pixels: int
    max_pixels_webp: int
    max_working_pixels: int
    min_reduced_pixels: int
    min_side_px: int
    max_aspect_ratio: float


@dataclass(frozen=True, slots=True)
class Photo:
    """One decoded photo, upright.

    Attributes:
        rgb: (H, W, 3) uint8, at most `max_working_pixels` pixels.
        original_size: (height, width) of the upright photo before any reduction, in pixels.
        exif_focal_35mm: 35 mm equivalent focal length, where the camera wrote one.
        notes: what was decided about the file, in sentences (a first frame taken, a reduction).
    """

    rgb: Pixels
    original_size: tuple[int, int]
    exif_focal_35mm: float | None = None
    notes: tuple[str, ...] = ()

    @property
    def scale(self) -> float:
        """Working pixels per original pixel: 1.0 unless the photo was reduced."""
        return self.rgb.shape[1] / self.original_size[1]


def load_photo(path: str | os.PathLike[str]) -> Photo:
    """Read and decode a photo file; see `decode_photo`.

    Raises:
        ImageError: the file is no photo within the limits.
        OSError: the file cannot be opened.
    """
    settings = load_section("image", ImageSettings)
    size_bytes = Path(path).stat().st_size
    if size_bytes > settings.max_file_bytes:  # asked before reading: the file may not fit into memory
        raise FileTooLarge(size_bytes, settings.max_file_bytes)
    return decode_photo(Path(path).read_bytes())


def decode_photo(data: bytes) -> Photo:
    """Decode the bytes of a photo file to upright RGB.

    The format is told by the content. Declared sizes are checked before anything is decoded. EXIF rotation and
    mirroring are applied; transparency is laid on white; of an animation the first frame is taken; a photo above
    `max_working_pixels` is reduced. Colour profiles are ignored.

    Raises:
        ImageError: empty, no picture, cut short, damaged, or outside the limits; `code` says which.
    """
    settings = load_section("image", ImageSettings)
    file_type = _checked_type(data, settings)
    with _decoder_errors(file_type), Image.open(BytesIO(data), formats=[file_type.value]) as header:
        _check_size(header.size, file_type, settings)
        rgb, original = _decode(data, header, file_type, settings)
        focal = _focal_35mm(header)
        notes = _notes(header, file_type, rgb, original)
    return Photo(rgb, original, focal, notes)


def _checked_type(data: bytes, settings: ImageSettings) -> FileType:
    if not data:
        raise EmptyImage()
    if len(data) > settings.max_file_bytes:
        raise FileTooLarge(len(data), settings.max_file_bytes)
    file_type = picture_type(data)
    if file_type is None:
        raise NotAnImage(describe(data), _FORMATS)
    if is_cut_short(data, file_type):
        raise TruncatedImage(file_type.value, len(data))
    return file_type


def _check_size(size: tuple[int, int], file_type: FileType, settings: ImageSettings) -> None:
    width, height = size
    max_pixels = settings.max_pixels_webp if file_type is FileType.WEBP else settings.max_pixels
    if width * height > max_pixels:
        raise ImageTooLarge(width, height, max_pixels)
    if min(size) < settings.min_side_px:
        raise ImageTooSmall(width, height, settings.min_side_px)
    if max(size) > settings.max_aspect_ratio * min(size):
        raise ImageTooNarrow(width, height, settings.max_aspect_ratio)


@contextmanager
def _decoder_errors(file_type: FileType) -> Iterator[None]:
    """Turn whatever a decoder raises into an ImageError that says cut short or damaged."""
    try:
        yield
    except ImageError:
        raise
    except UnidentifiedImageError as error:
        raise DamagedImage(file_type.value, "its header is damaged") from error
    # Decoders raise these on bad bytes; SyntaxError is what Pillow's PNG reader raises on a broken chunk.
    except (OSError, ValueError, SyntaxError, EOFError, RuntimeError, IndexError, TypeError, cv2.error) as error:
        said = str(error)
        if any(word in said.lower() for word in _CUT_SHORT_WORDS):
            raise TruncatedImage(file_type.value) from error
        raise DamagedImage(file_type.value, said) from error


def _decode(
    data: bytes, header: Image.Image, file_type: FileType, settings: ImageSettings
) -> tuple[Pixels, tuple[int, int]]:
    """Upright pixels within `max_working_pixels`, and the (height, width) they would have had in full."""
    declared_size = header.size
    if file_type is FileType.JPEG and header.mode in ("RGB", "L"):
        pixels = _decode_jpeg(data, header.size, settings)
    else:
        pixels = _decode_with_pillow(header, settings)
    # Read after decoding: Pillow turns TIFF upright itself, and libheif HEIC; both then drop or reset the tag.
    orientation = header.getexif().get(ExifTags.Base.Orientation, 1)
    rgb = np.ascontiguousarray(_upright(pixels, orientation))
    width, height = declared_size
    was_turned = (rgb.shape[1] > rgb.shape[0]) != (width > height) and width != height
    return rgb, ((width, height) if was_turned else (height, width))


def _decode_jpeg(data: bytes, size: tuple[int, int], settings: ImageSettings) -> Pixels:
    """The fast path: libjpeg at full, half, quarter or eighth size; (H, W, 3) as stored, not yet upright."""
    pixels = size[0] * size[1]
    factor = max(f for f in _REDUCED if f == 1 or pixels / f**2 >= settings.min_reduced_pixels)
    if pixels <= settings.max_working_pixels:
        factor = 1
    flags = _REDUCED[factor] | cv2.IMREAD_COLOR_RGB | cv2.IMREAD_IGNORE_ORIENTATION
    decoded = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    if decoded is None:
        raise DamagedImage("JPEG", "its compressed data cannot be decoded")
    rgb = np.asarray(decoded, np.uint8)
    target = _working_size((rgb.shape[1], rgb.shape[0]), settings)
    return rgb if target is None else np.asarray(cv2.resize(rgb, target, interpolation=cv2.INTER_AREA), np.uint8)


def _decode_with_pillow(image: Image.Image, settings: ImageSettings) -> Pixels:
    """Every other format and mode; reduced before transparency is laid on white, to keep memory low."""
    if image.format in ("JPEG", "MPO"):  # CMYK: let libjpeg reduce it while decoding
        image.draft(None, _working_size(image.size, settings) or image.size)
    image.load()
    plain = _eight_bit(image)
    target = _working_size(plain.size, settings)
    if target is not None:
        plain = plain.resize(target, Image.Resampling.BOX)
    if plain.mode == "RGBA":
        white = Image.new("RGB", plain.size, "white")
        white.paste(plain, mask=plain.getchannel("A"))
        plain = white
    return np.array(plain if plain.mode == "RGB" else plain.convert("RGB"))


def _eight_bit(image: Image.Image) -> Image.Image:
    """The picture as 8-bit L, RGB or RGBA."""
    if image.mode.startswith("I;16"):
        return Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    if image.mode in ("I", "F"):
        raise DamagedImage(image.format or "picture", "it holds 32-bit measurements, not a photo")
    if image.mode in ("L", "RGB", "RGBA") and "transparency" not in image.info:
        return image
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def _working_size(size: tuple[int, int], settings: ImageSettings) -> tuple[int, int] | None:
    """(width, height) to reduce to, or None where the size is within the limit."""
    pixels = size[0] * size[1]
    if pixels <= settings.max_working_pixels:
        return None
    scale = sqrt(settings.max_working_pixels / pixels)
    return int(size[0] * scale), int(size[1] * scale)


def _upright(pixels: Pixels, orientation: int) -> Pixels:
    """Undo the camera's turn: the eight EXIF orientations as a turn and a mirror (views, no copy)."""
    if orientation in (5, 6, 7, 8):
        pixels = pixels.transpose(1, 0, 2)
    if orientation in (3, 4, 7, 8):
        pixels = pixels[::-1]
    if orientation in (2, 3, 6, 7):
        pixels = pixels[:, ::-1]
    return pixels


def _focal_35mm(image: Image.Image) -> float | None:
    """The 35 mm equivalent focal length from EXIF, or None where it is absent, zero or unreadable."""
    value = image.getexif().get_ifd(ExifTags.IFD.Exif).get(ExifTags.Base.FocalLengthIn35mmFilm)
    try:
        focal = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, ZeroDivisionError):
        return None
    return focal if 0 < focal < 2000 else None  # zero means unknown; beyond 2000 mm no camera goes


def _notes(image: Image.Image, file_type: FileType, rgb: Pixels, original: tuple[int, int]) -> tuple[str, ...]:
    notes = []
    animated = file_type in (FileType.GIF, FileType.WEBP, FileType.PNG) and getattr(image, "is_animated", False)
    if animated:
        notes.append("The file is an animation; its first frame was read.")
    if rgb.shape[:2] != original:
        height, width = original
        notes.append(f"The photo has {width} x {height} pixels and was reduced to {rgb.shape[1]} x {rgb.shape[0]}.")
    return tuple(notes)
