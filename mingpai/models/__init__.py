"""Shipped networks: one folder each, with an ONNX file, weights, the run that made it and a card."""
