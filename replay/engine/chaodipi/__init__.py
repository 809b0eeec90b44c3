"""炒地皮: levels, trumps, a bottom that is stirred, throws, 5.10.K. The book is RULES.md here."""
