"""Files whose bytes are pinned."""
