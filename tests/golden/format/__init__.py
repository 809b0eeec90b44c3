"""Golden logs of the format, and the script that writes them."""
