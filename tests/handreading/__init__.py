"""Tests of hand reading."""
