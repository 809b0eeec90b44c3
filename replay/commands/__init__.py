"""The commands of `paipu`: each a thin shell around functions that return values.

What only one command needs is imported where it is used, so that every command starts fast.
"""
