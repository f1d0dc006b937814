"""What follows if somebody sets a variable: effects, averaged over what the data leave open."""

from dagscape.effects.effect import Alternative, Effect
from dagscape.effects.make import effect

__all__ = ["Alternative", "Effect", "effect"]
