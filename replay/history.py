"""Hand histories: a hand as text that a player would paste."""
