"""Readings with their edits, tables with their seats."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Apply the change."""
    op.create_table(
        "readings",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("photo_hash", sa.String(64), nullable=False),
        sa.Column("content_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("idempotency_hash", sa.String(64), unique=True),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("result", sa.Text),
        sa.Column("problem", sa.Text),
        sa.Column("attempts", sa.Integer, nullable=False),
    )
    op.create_index("ix_readings_expires_at", "readings", ["expires_at"])
    op.create_index("ix_readings_photo", "readings", ["photo_hash"])
    op.create_index("ix_readings_status", "readings", ["status"])
    op.create_table(
        "edits",
        sa.Column("reading_id", sa.String(32), sa.ForeignKey("readings.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("action", sa.String(16), nullable=False),
        sa.Column("corrections", sa.Text, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("host_hash", sa.String(64), nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("revealed", sa.Boolean, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
    )
    op.create_index("ix_tables_expires_at", "tables", ["expires_at"])
    op.create_index("ix_tables_host_hash", "tables", ["host_hash"])
    op.create_table(
        "seats",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("reading_id", sa.String(32), sa.ForeignKey("readings.id", ondelete="SET NULL")),
        sa.Column("board", sa.Text),
        sa.Column("recipe", sa.Text),
    )
    op.create_index("ix_seats_reading_id", "seats", ["reading_id"])
    op.create_index("ix_seats_token_hash", "seats", ["token_hash"])


def downgrade() -> None:
    """Take the change back."""
    for table in ("seats", "tables", "edits", "readings"):
        op.drop_table(table)
