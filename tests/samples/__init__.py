"""How the sample logs are made: hands found by seed, hands bent on purpose, files damaged."""
