"""打拱 (蕲春): the climbing game without wild cards. The book is RULES.md beside this file."""
