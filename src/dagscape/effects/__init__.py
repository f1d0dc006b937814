"""What follows if somebody sets a variable: effects, averaged over what the data leave open."""

from dagscape.effects.alternatives import Alternative
from dagscape.effects.effect import Effect
from dagscape.effects.hidden_effect import HiddenEffect
from dagscape.effects.make_effect import effect
from dagscape.effects.slope import SlopeEffect

__all__ = ["Alternative", "Effect", "HiddenEffect", "SlopeEffect", "effect"]
