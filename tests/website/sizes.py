"""How large the site may be, in bytes, on a server that compresses nothing."""

SITE = 25_000_000  # its folder
FIRST_PAGE = 10_000_000  # what is transferred for a page that is made live, at a first visit
LIVE = 9_000_000  # of both, what all live pages load


def size(folder):
    """Of all files."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
