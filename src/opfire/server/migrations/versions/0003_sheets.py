"""The orders that a side has written and not handed in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sheets",
        sa.Column("game", sa.String, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("side", sa.String, primary_key=True),
        sa.Column("orders", sa.Text, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("sheets")
