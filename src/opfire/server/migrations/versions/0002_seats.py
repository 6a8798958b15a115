"""The host of a game; votes are lines of the record now.

Running games go on: their seats are named for their sides, and all their nonces are there. An offer of a draw that
was open lapses, and has to be made again.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Not by a batch: that would drop the table, and with it the lines of every game.
    op.add_column("games", sa.Column("host", sa.String, nullable=False, server_default=""))
    op.drop_column("games", "draw_offered_by")


def downgrade() -> None:
    op.add_column("games", sa.Column("draw_offered_by", sa.String))
    op.drop_column("games", "host")
