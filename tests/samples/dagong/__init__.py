"""The samples of 打拱."""
