"""The page: one document for every address of it, and its files."""

from pathlib import Path
from typing import Any

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

WEB = Path(__file__).parents[1] / "web"
router = APIRouter(include_in_schema=False)
# The page asks again at each visit, and gets it anew only where it has changed.
_FRESH = {"Cache-Control": "no-cache"}
_ROOT_FILES: dict[str, str] = {
    "sw.js": "text/javascript",
    "manifest.webmanifest": "application/manifest+json",
    "icon.svg": "image/svg+xml",
    "favicon.ico": "image/svg+xml",
}


@router.get("/")
@router.get("/t/{table_id}")
@router.get("/r/{reading_id}")
def page(table_id: str = "", reading_id: str = "") -> Response:
    """Return the page; what it shows follows from its address."""
    return _file("index.html", "text/html")


def _root_file(name: str) -> Any:
    def answer() -> Response:
        return _file("icon.svg" if name == "favicon.ico" else name, _ROOT_FILES[name])

    return answer


for _name in _ROOT_FILES:
    router.add_api_route(f"/{_name}", _root_file(_name))


def _file(name: str, media_type: str) -> Response:
    for path in (WEB / name, WEB / "static" / name):
        if path.is_file():
            return FileResponse(path, media_type=media_type, headers=_FRESH)
    raise HTTPException(404, f"There is no {name}.")
