"""The samples of 炒地皮."""
