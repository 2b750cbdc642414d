"""The pages of the app, one module each; importing a module registers its page."""
