"""Parts of pages: each a panel that several pages, or one large page, put together."""
