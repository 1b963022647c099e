"""Settings of the service, from BOARDSNAP_* variables; values that would be unsafe are refused at the start."""

import os
from pathlib import Path
from typing import Self

import platformdirs
from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from api.errors import UsageError

# Shorter secrets can be tried out.
_LEAST_SECRET = 32


class Settings(BaseSettings):
    """What can be set; docs/deployment.md says when to."""

    model_config = SettingsConfigDict(env_prefix="BOARDSNAP_", extra="ignore", frozen=True)

    home: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("boardsnap", appauthor=False)))
    database_url: str = ""
    secret: str = ""
    public_url: str = ""
    cors_origins: tuple[str, ...] = ()
    trusted_proxies: str = "127.0.0.1"

    workers: int = Field(default_factory=lambda: max(1, (os.cpu_count() or 1) // 2), ge=1, le=64)
    # At two seconds a photo, the last in the queue is read within a minute or so.
    queue_length: int = Field(default=32, ge=1, le=1000)
    answer_within_s: float = Field(default=20.0, ge=0, le=300)
    reading_time_limit_s: float = Field(default=60.0, gt=0, le=3600)
    worker_memory_bytes: int = Field(default=8_000_000_000, ge=2_000_000_000)

    keep_days: float = Field(default=30.0, gt=0, le=3650)
    # Names, boards and scores, without photos.
    keep_tables_days: float = Field(default=365.0, gt=0, le=3650)
    # As large as the decoder takes; the form around the photo adds a little.
    max_upload_bytes: int = Field(default=81_000_000, ge=100_000)
    max_document_bytes: int = Field(default=20_000_000, ge=10_000)
    upload_time_limit_s: float = Field(default=120.0, gt=0)
    photos_a_minute: int = Field(default=60, ge=1)
    requests_a_minute: int = Field(default=1200, ge=1)

    @field_validator("cors_origins")
    @classmethod
    def _origins_are_named(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            if not origin.startswith(("http://", "https://")) or origin.count("/") > 2:
                raise ValueError(f"{origin!r} is no origin such as https://example.org; * is not allowed")
        return origins

    @field_validator("secret")
    @classmethod
    def _secret_is_long(cls, secret: str) -> str:
        if secret and len(secret) < _LEAST_SECRET:
            raise ValueError(f"it has {len(secret)} characters and needs {_LEAST_SECRET} or more")
        return secret

    @field_validator("public_url")
    @classmethod
    def _url_is_http(cls, url: str) -> str:
        if url and not url.startswith(("http://", "https://")):
            raise ValueError(f"{url!r} does not begin with http:// or https://")
        return url.rstrip("/")

    @property
    def database(self) -> str:
        """The database's address: as set, else a SQLite file in the home folder."""
        return self.database_url or f"sqlite:///{self.home / 'boardsnap.sqlite3'}"

    @classmethod
    def from_environment(cls) -> Self:
        """Read the variables.

        Raises:
            UsageError: a value is not allowed; the message names the variable.
        """
        try:
            return cls()
        except ValidationError as error:
            first = error.errors()[0]
            name = "BOARDSNAP_" + "_".join(str(part) for part in first["loc"][:1]).upper()
            raise UsageError(f"{name} is not allowed: {first['msg']}.") from error
