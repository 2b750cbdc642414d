"""The games: rules as a person reads them, on top of the native core."""
