"""`python -m tests.bench`: how fast this machine verifies, reads, records, indexes and plays.

The unit is *facts* per second of processor time, on one core. A fact is what drives the rules: a
deal, a play, a pass, an answer. Claims (who won the trick, the settlement) are derived and compared
on the way and do not count. Sensible players play the matches; how many facts and claims a hand of
theirs has is printed, for a hand of many passes is quicker than one of many plays.

Things are measured by turns, A B C … C B A A B C …, and the median of the turns is shown: a machine
that slows down slows all of them down. A ratio is the median of the ratios within the turns.
Processor time counts every thread of the process; the figure by the clock shows what else ran.
Budgets are held against the figures and never asserted by a test.

What can be compared

* The lines of one game. "verify" does everything: frames, checksums, inflating, strict decoding,
  canonical form, cards, leaves, and all that "walk" does. "walk" takes events in memory through the
  rules and derives and compares every claim. "fold" is the rules alone. "read" is "verify" without
  "walk"; "decode" is msgspec alone.
* A match in one file with many short ones: each log classifies the cards it has not seen yet. A
  game that ends its matches by itself (炒地皮, some ten hands a match) has short ones only.
* "index" with "verify": it verifies, and makes a new archive, which costs a tenth of a second by
  itself. Small runs pay for that; `--hands 4000` hardly does.
* Two runs on one machine with one Python. A Python that was built without optimisation (pyenv's,
  unless told otherwise) is some percent slower throughout.
* python-chess (`push_uci`) and pokerkit (the operations of its state machine) do what "fold" does:
  each recorded move is checked against the rules and carried out, from values in memory. Held
  against them is all of "verify", which is to our disadvantage: they read no file, compare no claim
  and keep no earlier state.

What cannot

* The games themselves. To see whether a chess move is legal takes more looking (pins, checks) than
  to see whether five cards are a straight; a hand of poker settles pots. The ratios say that the
  verifier keeps up with good rule engines in the same language, not that it is written better.
* The positions. Chess games and poker hands are random, made here from a fixed seed; ours are
  played sensibly.
* What a write takes under sync "event" and "hand": that is the disk's time, and the file lies where
  temporary files do, which may be in memory.
* The peak of memory, but for whether it stays: the interpreter and the modules are part of it.
"""
