"""What the commands refuse, beyond what scoring and vision refuse themselves."""

from typing import ClassVar

from scoring.errors import BoardsnapError


class InputError(BoardsnapError):
    """A file or folder given to a command cannot be read."""

    code: ClassVar[str] = "input_unreadable"


class InputNotFound(InputError):
    """There is nothing of that name."""

    code: ClassVar[str] = "input_not_found"

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} does not exist. Check the name and the folder.")


class EmptyFolder(InputError):
    """The folder holds no photo and no board file."""

    code: ClassVar[str] = "folder_empty"

    def __init__(self, name: str) -> None:
        super().__init__(f"The folder {name} holds no photo and no board file (*.json).")


class InvalidJson(InputError):
    """A board file is not JSON."""

    code: ClassVar[str] = "json_invalid"


class UsageError(BoardsnapError):
    """The options do not fit together, or name something that does not exist: exit code 2."""

    code: ClassVar[str] = "usage"


class PhotoFailed(BoardsnapError):
    """One of several photos cannot be used; `error` says why."""

    code: ClassVar[str] = "photo_unusable"

    def __init__(self, name: str, error: BoardsnapError) -> None:
        self.name, self.error = name, error
        super().__init__(str(error) if name in str(error) else f"{name}: {error}")
