"""Tests with the library, in front of fake processors."""
