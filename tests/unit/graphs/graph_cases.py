"""A small graph."""

# Cold and dust make one sneeze; the user lists the effect first.
NAMES = ["sneeze", "dust", "cold", "tissue"]


ARCS = [("cold", "sneeze"), ("dust", "sneeze"), ("sneeze", "tissue")]
