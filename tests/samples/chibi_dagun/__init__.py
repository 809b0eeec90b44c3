"""The samples of 赤壁打滚."""
