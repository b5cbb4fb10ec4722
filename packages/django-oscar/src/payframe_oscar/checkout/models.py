"""The checkout has no models."""
