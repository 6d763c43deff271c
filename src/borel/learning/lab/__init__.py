"""The laboratory: how partners come to understand each other, in games small enough to see through."""
