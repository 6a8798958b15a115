"""A player at a first evening, who does what its card says."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from browser.table import Table


class Evening:
    """Somebody who does what the card says, with what it frames."""

    def __init__(self, table: Table, words: str) -> None:
        self.table, self.page, self.words = table, table.page, words

    def begin(self, question: str) -> None:
        """From the start page to the first lesson, with this question."""
        self.page.goto(self.table.host.url)
        self.table.find(f"learn-{self.words}").click()
        self.table.asks(question)
        self.at("prompt")

    def at(self, lesson: str, act: int = 0) -> None:
        """The card is at this act of this lesson."""
        expect(self.card).to_have_attribute("data-lesson", lesson)
        expect(self.card).to_have_attribute("data-act", str(act))

    @property
    def card(self) -> Locator:
        return self.table.find("coach")

    @property
    def framed(self) -> Locator:
        """The target of the card."""
        self.page.wait_for_function(f"() => {FRAMED}.length > 0")
        self.page.evaluate(f"() => ({MARK})({FRAMED})")
        return self.page.locator("[data-framed]")

    def click(self) -> None:
        """Click what is framed."""
        self.framed.click()

    def end_segments(self) -> None:
        """End segments until the enemy's move brings the question."""
        for _ in range(20):
            self.page.wait_for_function(f"() => {ACT} !== '0' || {DONE}")
            if self.page.evaluate(f"{ACT} !== '0'"):
                return
            self.table.press("done")
        raise AssertionError("no enemy came into view")


FRAMED = """[...document.querySelectorAll('*')].filter((one) =>
  getComputedStyle(one).outlineStyle === 'dashed' && one.getBoundingClientRect().width > 0)"""
MARK = """framed => {
  document.querySelectorAll('[data-framed]').forEach((one) => delete one.dataset.framed);
  framed[0].dataset.framed = '';
}"""
ACT = """document.querySelector('[data-testid="coach"]').dataset.act"""
DONE = """document.querySelector('[data-testid="done"]:not(:disabled)') !== null"""
