"""What is said of a network that was found, as data: what is proven, of which networks, and why."""

from dagscape.claims.claim import Claim, WithoutKnowledge
from dagscape.claims.journal import Step
from dagscape.claims.scopes import Scope

__all__ = ["Claim", "Scope", "Step", "WithoutKnowledge"]
