"""Tests by subject; `builders` makes what they need, `bench` measures."""
