"""The table: games in a database, seats over WebSockets, the browser client's files."""
