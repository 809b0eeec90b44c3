"""An archive of a million hands: how fast it is filled, asked and shown, and how large it is.

The logs are made once and kept outside the repository. To play so many hands would take a day, so
some thousand of each game are played and written many times, as matches of other players at other
times: the ids of the hands are all different, the cards are not. A dictionary of cards is thereby
smaller than it would be, a query for equal deals has far more to list, and a day of play looks like
any other. Some hands are broken off, and in some a trick is announced with wrong points, so that
there are findings to ask for.

What is timed is timed by the clock, unlike the other parts: an answer is waited for. Named queries
are asked twice over: of an archive that is open in this process, and of a worker process that
stands ready and answers once, as `paipu query` and the viewer do. Each time with other parameters
out of the archive; the first answer of each counts like any other. Files are in the system's cache
unless they do not fit.
"""
