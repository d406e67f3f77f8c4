"""The pages of a built site as a browser would read them: links, pictures, headings."""

import html.parser
from pathlib import Path
from urllib.parse import unquote


class Page(html.parser.HTMLParser):
    """Of an HTML file: `links` (what it loads and leads to), `ids`, `headings` (levels), `images`
    (their alternative texts, None for none) and `lang`."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.ids: set[str] = set()
        self.headings: list[int] = []
        self.images: list[str | None] = []
        self.lang = ""
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids |= {given[k] for k in ("id", "name") if given.get(k)}
        if tag == "html":
            self.lang = given.get("lang", "")
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag in ("script", "img", "link", "iframe", "source"):
            self.loaded += [given[k] for k in ("src", "href") if given.get(k)]
        if tag == "img":
            self.images.append(given.get("alt"))
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self.headings.append(int(tag[1]))


def target(page: Path, link: str) -> tuple[Path, str] | None:
    """The file that a link leads to, and the place in it; None for what is elsewhere."""
    if link.startswith(("http://", "https://", "data:", "mailto:", "javascript:")):
        return None
    file, _, place = link.partition("#")
    file = unquote(file.partition("?")[0])
    return ((page.parent / file).resolve() if file else page), unquote(place)
