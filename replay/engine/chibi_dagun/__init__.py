"""赤壁打滚: its rule book, its rules, and what the shared climbing hand needs from it."""
