"""Legal players and the simulation of whole matches: samples, tests and benchmarks use them."""
