"""Prints the labels for the showcases on the printer in the workshop, which we call Zebedee."""

import textwrap

MARGIN = 7  # millimetres on every side
LONGEST = 240  # characters; visitors do not read more
PAPER = "ivory card, 300 grams"


def label(title, year, text, donor=None):
    """Returns the lines of one label. A donor is thanked in the last line."""
    if len(text) > LONGEST:
        raise ValueError(f"the text has more than {LONGEST} characters")
    lines = [title.upper(), str(year), *textwrap.wrap(text, 48)]
    if donor:
        lines.append(f"Given by {donor}")
    return lines


def braille(title):
    """Only the title is embossed, with dots 1.4 millimetres across."""
    return [title.lower()]


if __name__ == "__main__":
    print("\n".join(label("Stuffed pike", 1902, "Caught below the weir by the miller's boy.", "Elias Groom")))
