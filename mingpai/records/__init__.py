"""What happened, as data: one record per deal, JSON Lines, replay as the validator, an embedded DuckDB store."""
