"""What can be wrong with a photo: one class a fact, each with a stable `code`.

A message says what was found, what the limit is, and what to do next. `ImageError` is a file that cannot be read;
`NoBoardFound` and its kin are a readable photo without one readable board on it.
"""

from typing import ClassVar

from scoring.errors import BoardsnapError


class ImageError(BoardsnapError):
    """The file is not a photo that can be read."""

    code: ClassVar[str] = "image_unreadable"


class EmptyImage(ImageError):
    """The file has no bytes."""

    code: ClassVar[str] = "image_empty"

    def __init__(self) -> None:
        super().__init__("The file is empty (0 bytes). Copy or upload the photo again.")


class NotAnImage(ImageError):
    """The file is something else than a picture."""

    code: ClassVar[str] = "not_an_image"

    def __init__(self, found: str, formats: str) -> None:
        super().__init__(f"This is no photo: the file is {found}. Use a {formats} picture.")


class TruncatedImage(ImageError):
    """The end of the file is missing."""

    code: ClassVar[str] = "image_truncated"

    def __init__(self, file_format: str, size_bytes: int | None = None) -> None:
        after = "" if size_bytes is None else f" after {size_bytes} bytes"
        super().__init__(f"The {file_format} file is truncated: it stops{after} before its end. Copy it again.")


class DamagedImage(ImageError):
    """The file has the form of a picture, and cannot be decoded."""

    code: ClassVar[str] = "image_damaged"

    def __init__(self, file_format: str, reason: str) -> None:
        super().__init__(f"The {file_format} file cannot be decoded: {reason}. Save it again as a JPEG.")


class ImageTooLarge(ImageError):
    """More pixels than are decoded."""

    code: ClassVar[str] = "image_too_large"

    def __init__(self, width: int, height: int, max_pixels: int) -> None:
        found = width * height / 1e6
        super().__init__(
            f"The picture declares {width} x {height} = {found:.0f} megapixels; the limit is {max_pixels / 1e6:.0f}. "
            "Scale it down, or save it as a JPEG."
        )


class ImageTooSmall(ImageError):
    """Too few pixels on a side for any board to be read."""

    code: ClassVar[str] = "image_too_small"

    def __init__(self, width: int, height: int, min_side_px: int) -> None:
        super().__init__(
            f"The picture has {width} x {height} pixels; its shorter side needs at least {min_side_px}. "
            "Use the original photo, not a thumbnail."
        )


class ImageTooNarrow(ImageError):
    """A strip rather than a photo."""

    code: ClassVar[str] = "image_too_narrow"

    def __init__(self, width: int, height: int, max_aspect_ratio: float) -> None:
        super().__init__(
            f"The picture has {width} x {height} pixels; its longer side may be at most {max_aspect_ratio:g} times "
            "the shorter one. Crop it to the board."
        )


class FileTooLarge(ImageError):
    """More bytes than are read."""

    code: ClassVar[str] = "file_too_large"

    def __init__(self, size_bytes: int, max_bytes: int) -> None:
        super().__init__(
            f"The file has {size_bytes / 1e6:.1f} MB; the limit is {max_bytes / 1e6:.0f} MB. "
            "Save the photo as a JPEG, or scale it down."
        )


class NoBoardFound(BoardsnapError):
    """The photo is readable, and no board was found on it; `reason` says what was looked for in vain."""

    code: ClassVar[str] = "no_board_found"

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"No board was found on the photo: {reason}. Take it from above with the whole board in view.")


class SeveralBoardsFound(NoBoardFound):
    """More than one board lies in view, none of them clearly the one meant."""

    code: ClassVar[str] = "several_boards_found"

    def __init__(self, count: int) -> None:
        super().__init__(f"{count} boards are in view, and one is needed")


class EnrolmentPhotoError(BoardsnapError):
    """Faces cannot be learned from this photo; `reason` says why, and what to do."""

    code: ClassVar[str] = "enrolment_photo_unusable"

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"No faces can be learned from this photo: {reason}.")


class NetworkError(BoardsnapError):
    """A network's file is missing, is not the one the manifest names, or cannot be loaded."""

    code: ClassVar[str] = "network_unusable"
