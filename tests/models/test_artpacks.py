"""Packs on disk: whole or not at all, whatever goes wrong while one is written."""

import os
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from models import artpacks
from models.artpack import ArtExists, ArtPack, ArtPackError, ArtUnknown, with_faces
from models.artpack_form import PACK_FILE
from models.artpacks import ArtShelf, home_folder
from tests.models.packs import NETWORK, face_of, pack_of


@pytest.fixture
def shelf(tmp_path: Path) -> ArtShelf:
    return ArtShelf(tmp_path)


def files(shelf: ArtShelf) -> list[str]:
    return sorted(entry.name for entry in shelf.folder.iterdir() if entry.name != ".lock")


def kinds(shelf: ArtShelf, name: str = "mine") -> tuple[str, ...]:
    return shelf.load(name).art.kinds


def test_packs_lie_where_boardsnap_home_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDSNAP_HOME", str(tmp_path / "moved"))
    assert home_folder() == tmp_path / "moved"
    assert ArtShelf().folder == tmp_path / "moved" / "arts"
    monkeypatch.delenv("BOARDSNAP_HOME")
    assert home_folder().name == "boardsnap"


def test_there_are_no_packs_at_first_and_asking_makes_no_folder(shelf: ArtShelf) -> None:
    assert shelf.names() == []
    with pytest.raises(ArtUnknown, match="There are none yet"):
        shelf.load("mine")
    assert not shelf.folder.exists()


def test_a_pack_is_one_folder_with_its_pictures(shelf: ArtShelf) -> None:
    folder = shelf.save(pack_of("swiss orange"))
    assert folder == shelf.folder / "mine"
    held = sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())
    assert held == ["faces/orange-1.png", "faces/swiss-1.png", "pack.json"]
    assert kinds(shelf) == ("swiss", "orange")
    assert files(shelf) == ["mine"]


def test_a_new_pack_takes_the_place_of_the_old_one(shelf: ArtShelf) -> None:
    shelf.save(pack_of("swiss orange"))
    shelf.save(pack_of("bleu"))
    assert kinds(shelf) == ("bleu",)
    assert files(shelf) == ["mine"]


def test_case_and_spaces_around_a_name_do_not_matter(shelf: ArtShelf) -> None:
    shelf.save(pack_of("swiss", "My copy"))
    assert kinds(shelf, " my COPY ") == ("swiss",)
    shelf.save(pack_of("bleu", "MY COPY"))
    assert shelf.names() == ["MY COPY"]


def test_an_unknown_name_lists_those_there_are(shelf: ArtShelf) -> None:
    for name in ("winter", "Summer"):
        shelf.save(pack_of("swiss", name))
    for ask in (shelf.load, shelf.remove, shelf.check):
        with pytest.raises(ArtUnknown, match=r"called 'spring'\. There are: Summer, winter\."):
            ask("spring")


@pytest.mark.parametrize("name", ["../mine", "..", ".", "", "/etc", ".lock"])
def test_a_name_never_leads_out_of_the_folder(shelf: ArtShelf, name: str) -> None:
    shelf.save(pack_of("swiss"))
    with pytest.raises(ArtUnknown):
        shelf.load(name)
    with pytest.raises(ArtUnknown):
        shelf.remove(name)


def test_a_pack_that_could_not_be_loaded_again_is_not_put_in_place(shelf: ArtShelf) -> None:
    shelf.save(pack_of("swiss"))
    good = pack_of("bleu")
    longer = replace(good.faces[0], face=replace(good.faces[0].face, outline=good.faces[0].face.outline * 100))
    with pytest.raises(ArtPackError, match="coordinate"):
        shelf.save(replace(good, faces=(longer,)))
    assert kinds(shelf) == ("swiss",)
    assert files(shelf) == ["mine"]


def broken_write(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(pack: ArtPack, folder: Path) -> None:
        (folder / PACK_FILE).write_bytes(b"{")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(artpacks, "_write_folder", full)


def broken_rename(monkeypatch: pytest.MonkeyPatch) -> None:
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if self.name.startswith(".new-"):
            raise PermissionError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)


@pytest.mark.parametrize("breaks", [broken_write, broken_rename])
def test_the_old_pack_is_kept_when_the_new_one_cannot_be_written(
    shelf: ArtShelf, monkeypatch: pytest.MonkeyPatch, breaks: Callable[[pytest.MonkeyPatch], None]
) -> None:
    shelf.save(pack_of("swiss"))
    with monkeypatch.context() as patch:
        breaks(patch)
        with pytest.raises(OSError, match=r"No space|Permission"):
            shelf.save(pack_of("bleu"))
    assert kinds(shelf) == ("swiss",)
    assert files(shelf) == ["mine"]


def test_a_process_killed_between_the_two_renames_loses_nothing(shelf: ArtShelf) -> None:
    shelf.save(pack_of("swiss"))
    (shelf.folder / "mine").rename(shelf.folder / ".old-mine")
    (shelf.folder / ".new-abc").mkdir()
    assert shelf.names() == ["mine"]
    assert kinds(shelf) == ("swiss",)
    assert files(shelf) == ["mine"]


def test_a_process_killed_after_the_second_rename_leaves_the_new_pack(shelf: ArtShelf) -> None:
    shelf.save(pack_of("swiss"))
    (shelf.folder / "mine").rename(shelf.folder / ".old-mine")
    shelf.save(pack_of("bleu", "other"))  # finds and settles the one put aside
    assert shelf.names() == ["mine", "other"]


def test_changes_at_the_same_time_are_all_kept(shelf: ArtShelf) -> None:
    shelf.save(pack_of("swiss"))

    def add() -> None:
        shelf.change("mine", lambda pack: with_faces(pack, [face_of("bleu")], network=NETWORK))

    threads = [threading.Thread(target=add) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(shelf.load("mine").art.of_kind("bleu")) == 6


def test_a_change_that_fails_changes_nothing(shelf: ArtShelf) -> None:
    shelf.save(pack_of("swiss"))

    def fail(pack: ArtPack) -> ArtPack:
        raise ArtUnknown("other", ())

    before = shelf.stamp("mine")
    with pytest.raises(ArtUnknown):
        shelf.change("mine", fail)
    assert shelf.stamp("mine") == before


def test_the_stamp_tells_when_a_pack_has_changed(shelf: ArtShelf) -> None:
    assert shelf.stamp("mine") is None
    shelf.save(pack_of("swiss"))
    first = shelf.stamp("mine")
    assert first == shelf.stamp("MINE")
    shelf.save(pack_of("swiss"))
    assert shelf.stamp("mine") != first


def test_a_pack_is_called_as_its_folder_is(shelf: ArtShelf) -> None:
    shelf.save(pack_of("swiss"))
    (shelf.folder / "mine").rename(shelf.folder / "renamed")
    assert shelf.load("renamed").name == "renamed"


def test_a_removed_pack_is_gone(shelf: ArtShelf) -> None:
    shelf.save(pack_of("swiss"))
    shelf.remove("mine")
    assert files(shelf) == []


def test_a_picture_that_is_missing_or_a_link_is_named(shelf: ArtShelf, tmp_path: Path) -> None:
    picture = shelf.save(pack_of("swiss")) / "faces" / "swiss-1.png"
    elsewhere = tmp_path / "secret.png"
    picture.rename(elsewhere)
    with pytest.raises(ArtPackError, match=r"faces/swiss-1.png is missing"):
        shelf.load("mine")
    picture.symlink_to(elsewhere)
    with pytest.raises(ArtPackError, match=r"faces/swiss-1.png is missing"):
        shelf.load("mine")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the administrator may write anywhere")
def test_packs_in_a_folder_that_cannot_be_written_to_are_read(shelf: ArtShelf) -> None:
    shelf.save(pack_of("swiss"))
    shelf.folder.chmod(0o500)
    try:
        assert kinds(shelf) == ("swiss",)
    finally:
        shelf.folder.chmod(0o700)


def test_an_exported_pack_is_imported_elsewhere(shelf: ArtShelf, tmp_path: Path) -> None:
    shelf.save(pack_of("swiss orange"))
    shelf.export_zip("mine", tmp_path / "mine.zip")
    other = ArtShelf(tmp_path / "elsewhere")
    assert other.import_zip(tmp_path / "mine.zip").name == "mine"
    assert other.import_zip(tmp_path / "mine.zip", name="a friend's".replace("'", "")).name == "a friends"
    assert other.names() == ["a friends", "mine"]
    assert kinds(other, "a friends") == ("swiss", "orange")


def test_an_import_replaces_no_pack_unasked(shelf: ArtShelf, tmp_path: Path) -> None:
    shelf.save(pack_of("swiss"))
    shelf.export_zip("mine", tmp_path / "mine.zip")
    shelf.save(pack_of("bleu"))
    with pytest.raises(ArtExists, match="called 'mine' already"):
        shelf.import_zip(tmp_path / "mine.zip")
    assert kinds(shelf) == ("bleu",)
    shelf.import_zip(tmp_path / "mine.zip", replace_old=True)
    assert kinds(shelf) == ("swiss",)


def test_an_export_that_fails_leaves_the_file_that_was_there(
    shelf: ArtShelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf.save(pack_of("swiss"))
    file = tmp_path / "mine.zip"
    file.write_bytes(b"old")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("zipfile.ZipFile.writestr", full)
    with pytest.raises(OSError, match="No space"):
        shelf.export_zip("mine", file)
    assert file.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir() if "zip" in entry.name] == ["mine.zip"]
