"""A display's link to live pages, where the site that has them is configured."""

from tests.browser.test_lab import PROGRAM, RUN, opened, show

SAVE = "raw => window.jupyterapp.serviceManager.settings.save('polynb:links', raw)"


def test_a_display_links_to_its_program_on_a_configured_site(page, lab):
    opened(page, lab, "link.ipynb", PROGRAM, "fast")
    page.wait_for_selector(".pnb-root", timeout=60_000)
    button = page.get_by_role("button", name="copy link")
    assert button.count() == 0  # by default
    page.evaluate(SAVE, '{"site": "https://example.org/polynb"}')
    try:
        show(page, lab[0], "link.ipynb")
        page.evaluate(RUN)
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        button.wait_for(timeout=60_000)
        assert button.count() == 1  # the other cell is no program
        button.click()
        page.get_by_role("button", name="copied").wait_for()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith(
            "https://example.org/polynb/live/index.html#propagate=fast%0Aparam+N"
        )
    finally:
        page.evaluate(SAVE, "{}")
