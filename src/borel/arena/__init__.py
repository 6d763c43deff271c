"""The arena: tables, matches and what they show, with error bars."""
