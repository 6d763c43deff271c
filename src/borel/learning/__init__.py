"""Learning to bid: a bank of solved deals, imitation of a system, and improvement by self-play that stays readable."""
