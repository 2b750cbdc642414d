"""The app as NiceGUI's user simulation runs it."""

from mingpai.web.server import serve

serve(["127.0.0.1", "test"], 8080, False)
