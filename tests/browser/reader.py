"""A player who has no picture: the page as its roles and names tell it, and what its live regions have said."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page

LISTEN = """(() => {
  window.heard = [];
  window.changes = 0;
  const LIVE = "[aria-live], [role=status], [role=alert], [role=log]";
  const before = new WeakMap();
  const tell = (part) => {
    const text = part.textContent;
    // A space more is enough to be read once more.
    if (text !== before.get(part) && text.trim()) window.heard.push(text.replace(/\\s+/g, " ").trim());
    before.set(part, text);
  };
  new MutationObserver((changes) => {
    window.changes += 1;
    const parts = new Set();
    for (const {target, addedNodes} of changes) {
      const live = (target.closest ? target : target.parentElement)?.closest(LIVE);
      if (live) parts.add(live);
      for (const node of addedNodes) node.querySelectorAll?.(LIVE).forEach((inner) => parts.add(inner));
    }
    parts.forEach(tell);
  }).observe(document, {childList: true, characterData: true, attributes: true, subtree: true});
})()"""
"""Writes down what live regions say, and counts the changes of the page."""

CONTROLS = "button|link|combobox|checkbox|radio|textbox|searchbox|spinbutton|slider|switch|tab|menuitem|option"
UNNAMED = re.compile(rf"^\s*- (?:{CONTROLS})(?=$|:| \[).*", re.MULTILINE)
CHOICES = re.compile(r'^  - region "Your choices":\n(?:    .*\n)*', re.MULTILINE)
BARRED = re.compile(r" \[disabled\]")
MOST_CHANGES = 4000

AT_REST = """() => document.querySelector('[data-testid="bar"][aria-busy="true"]') === null"""
"""Whether nothing is under way that was decided here."""


LOST = """async () => {
  for (let frame = 0; frame < 10 && document.activeElement === document.body; frame++)
    await new Promise(requestAnimationFrame);
  return document.activeElement === document.body;
}"""


class Reader:
    """A page as it is read out, and keys on what has the focus."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.add_init_script(LISTEN)

    # --- what is there --------------------------------------------------------------------------------------

    @property
    def panel(self) -> Locator:
        """All beside the map."""
        return self.page.get_by_role("complementary", name="Game")

    @property
    def question(self) -> Locator:
        """The question of the table."""
        return self.panel.get_by_role("group", name="The question")

    @property
    def choices(self) -> Locator:
        """The choices of this decision."""
        return self.panel.get_by_role("region", name="Your choices")

    @property
    def bar(self) -> Locator:
        """The buttons that are always there."""
        return self.panel.get_by_role("group", name="Go on", exact=True)

    @property
    def position(self) -> Locator:
        """The position in words."""
        return self.panel.get_by_role("tabpanel", name="Position")

    def units(self, side: str) -> list[Locator]:
        """The units of a side, each with all that is said of it."""
        name = self.page.get_by_role("button", name=re.compile(rf"^{side} "))
        return self.position.get_by_role("listitem").filter(has=name).all()

    def where(self) -> str:
        """The panel as it is read out, without what is only about to be done, or barred while it is."""
        return BARRED.sub("", CHOICES.sub("", self.panel.aria_snapshot() + "\n"))

    def turn(self) -> int:
        """The number of the turn; 0 in set-up."""
        found = re.search(r"Turn (\d+) of", self.where())
        return int(found[1]) if found else 0

    def unnamed(self) -> list[str]:
        """Controls anywhere on the page that have no name."""
        return UNNAMED.findall(self.page.aria_snapshot())

    def heard(self) -> str:
        """All that live regions have said so far."""
        return " ".join(self.page.evaluate("window.heard"))

    def lost(self) -> bool:
        """Whether nothing has the focus, and it does not come back within a few frames."""
        return bool(self.page.evaluate(LOST))

    # --- what is done ---------------------------------------------------------------------------------------

    def press(self, control: Locator) -> None:
        """Enter on a control, until the panel reads otherwise and the page is at rest."""
        before = self.where()
        control.press("Enter")
        for _ in range(MOST_CHANGES):
            changes = self.page.evaluate("window.changes")
            if self.where() != before:
                self.page.wait_for_function(AT_REST)
                return
            self.page.wait_for_function("changes => window.changes > changes", arg=changes)
        raise AssertionError("the page changes, and nothing that is read out")
