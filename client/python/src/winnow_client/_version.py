"""Version of the client. pyproject.toml contains the same version."""

VERSION = "0.1.0"
