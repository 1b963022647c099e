"""What a file is, by its content: a file's name is never asked."""

import re
from enum import StrEnum

# A marker of a JPEG scan: 0xFF followed by neither a stuffed zero, nor a restart marker, nor another fill byte.
_JPEG_SCAN_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_HEIF_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")


class FileType(StrEnum):
    """The picture formats that are read; the value is Pillow's name for the format."""

    JPEG = "JPEG"
    PNG = "PNG"
    WEBP = "WEBP"
    HEIF = "HEIF"
    GIF = "GIF"
    BMP = "BMP"
    TIFF = "TIFF"


def picture_type(data: bytes) -> FileType | None:
    """The picture format of a file's bytes, or None for anything that is not one of them."""
    starts = {
        b"\xff\xd8\xff": FileType.JPEG,
        b"\x89PNG\r\n\x1a\n": FileType.PNG,
        b"GIF87a": FileType.GIF,
        b"GIF89a": FileType.GIF,
        b"II*\x00": FileType.TIFF,
        b"MM\x00*": FileType.TIFF,
    }
    for start, file_type in starts.items():
        if data.startswith(start):
            return file_type
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return FileType.WEBP
    if data[4:8] == b"ftyp" and any(brand in _HEIF_BRANDS for brand in _brands(data)):
        return FileType.HEIF
    # Two letters are a weak signature (a text may begin with BM): the reserved bytes of the header are zero.
    if data[:2] == b"BM" and data[6:10] == b"\0\0\0\0":
        return FileType.BMP
    return None


def describe(data: bytes) -> str:
    """What bytes that are no readable picture look like, in words for an error message."""
    if data.startswith(b"%PDF"):
        return "a PDF document"
    if data.startswith(b"PK\x03\x04"):
        return "a ZIP archive or office document"
    if data[4:8] == b"ftyp":
        return "an AVIF picture" if b"avif" in _brands(data) else "a video"
    if data.startswith(b"\xff\xd8"):
        return "the start of a JPEG and no more"
    return "text" if _is_text(data[:4096]) else "of an unknown type"


def is_cut_short(data: bytes, file_type: FileType) -> bool:
    """True when the file's own structure says that bytes are missing at its end.

    JPEG decoders fill the missing part with grey and go on, so this is asked before decoding. Formats whose
    structure gives no cheap answer (TIFF) are left to their decoder.
    """
    match file_type:
        case FileType.JPEG:
            return not _jpeg_is_complete(data)
        case FileType.PNG:
            return b"IEND" not in data[-4096:] and b"IEND" not in data
        case FileType.WEBP:
            return len(data) < 8 + int.from_bytes(data[4:8], "little")
        case FileType.HEIF:
            return not _boxes_are_complete(data)
        case FileType.BMP:
            return len(data) < int.from_bytes(data[2:6], "little")
        case FileType.GIF:
            return b"\x3b" not in data[-4096:]
        case _:
            return False


def _is_text(head: bytes) -> bool:
    """True for bytes without NUL that are UTF-8, up to a character cut at the end."""
    if b"\0" in head:
        return False
    try:
        head[: max(len(head) - 3, 1)].decode("utf-8")
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return True


def _brands(data: bytes) -> list[bytes]:
    """The major and the compatible brands of an ISO media file."""
    box = data[: min(int.from_bytes(data[:4], "big"), 256)]
    return [box[8:12], *(box[at : at + 4] for at in range(16, len(box) - 3, 4))]


def _jpeg_is_complete(data: bytes) -> bool:
    """Walk the segments of a JPEG to its end marker, through every scan.

    A search for the end marker alone would find the one of the thumbnail inside the EXIF segment.
    """
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return True  # not a segment: damaged rather than cut, the decoder will say
        marker = data[at + 1]
        if marker == 0xD9:
            return True
        if marker == 0xFF or 0xD0 <= marker <= 0xD8 or marker == 0x01:  # fill byte, or a marker without a length
            at += 1 if marker == 0xFF else 2
            continue
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if marker == 0xDA:  # the entropy-coded data of a scan follows
            found = _JPEG_SCAN_MARKER.search(data, at)
            if found is None:
                return False
            at = found.start()
    return data[at : at + 2] == b"\xff\xd9"


def _boxes_are_complete(data: bytes) -> bool:
    """True when the top-level boxes of an ISO media file end where the file does, or before."""
    at = 0
    while at + 8 <= len(data):
        size, header = int.from_bytes(data[at : at + 4], "big"), 8
        if size == 0:  # the last box: up to the end of the file
            return True
        if size == 1:
            size, header = int.from_bytes(data[at + 8 : at + 16], "big"), 16
        if size < header:
            return True  # damaged rather than cut
        at += size
    return at <= len(data)
