"""Plumbing of training: run folders, checkpoints, metrics, the loop, datasets. Algorithms live in their methods."""
