"""The viewer: pages on which a player steps through hands and a referee reads findings."""

from webviewer.app import create_app

__all__ = ["create_app"]
