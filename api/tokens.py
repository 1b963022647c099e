"""Unguessable ids and tokens: the store keeps a token's hash; the token itself follows from the service's secret."""

import hashlib
import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from pathlib import Path


def new_id() -> str:
    """Return an id of 128 random bits, safe in addresses."""
    return secrets.token_urlsafe(16)


def hash_of(token: str) -> str:
    """Return what is stored of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def matches(token: str, stored: str) -> bool:
    """Say whether a token is the one whose hash is stored, in a time that does not depend on where they differ."""
    return hmac.compare_digest(hash_of(token), stored)


class TokenMaker:
    """Makes tokens out of the secret and what they are for: a lost answer can be sent again, a QR code drawn again."""

    def __init__(self, secret: str) -> None:
        self._key = secret.encode()

    def token(self, *parts: str) -> str:
        """Return the token for something, such as ("seat", table id, "2"); 256 bits."""
        digest = hmac.new(self._key, "\n".join(parts).encode(), hashlib.sha256).digest()
        return urlsafe_b64encode(digest).decode().rstrip("=")


def secret_in(home: Path) -> str:
    """Return the secret kept in the home folder; made at the first start, readable by the owner only."""
    path = home / "secret"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip()
    secret = secrets.token_urlsafe(48)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secret)
    return secret
