"""Game-blind pieces: seats, holdings, points, plays. No options, no bool parameters."""
