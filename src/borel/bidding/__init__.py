"""Bidders that look ahead: Borel search, PIDM, probabilistic lookahead."""
