"""One position explained: whose turn it was, what was asked, and which plays were legal."""
