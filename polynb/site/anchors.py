"""What headings are called in addresses of the site's pages."""

from __future__ import annotations

import re


def anchor(heading: str) -> str:
    """A heading's name in an address: `#2-which-read` of `2. Which read`, or of Jupyter's name for
    it, `2.-Which-read`."""
    kept = re.sub(r"[^\w\- ]", "", heading.casefold())
    return kept.strip().replace(" ", "-")
