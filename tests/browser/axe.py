"""axe-core in the page: it comes from the client's own development packages, never from another host."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

SOURCE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

RUN = """async tags => {
  const {violations} = await axe.run(document, {
    runOnly: {type: "tag", values: tags},
    resultTypes: ["violations"],
  });
  return violations.flatMap(({id, nodes}) =>
    nodes.map(({target, failureSummary}) => `${id} at ${target.join(" ")}: ${failureSummary}`));
}"""

SIZES = """async part => {
  const {violations, passes} = await axe.run(part, {runOnly: {type: "rule", values: ["target-size"]}});
  const told = (results) => results.flatMap(({nodes}) =>
    nodes.map(({target, failureSummary}) => `${target.join(" ")}: ${failureSummary ?? ""}`));
  return [told(violations), told(passes)];
}"""
"""The rule of WCAG 2.2 on the size of what is pressed, which axe leaves out unless it is named."""


def violations(page: Page) -> list[str]:
    """The faults that axe finds on the page as it stands, one line for each element."""
    _bring(page)
    found: list[str] = page.evaluate(RUN, TAGS)
    return found


def target_sizes(page: Page, part: str) -> tuple[list[str], list[str]]:
    """The elements too small for a finger within a part of the page, and those large enough."""
    _bring(page)
    small, large = page.evaluate(SIZES, part)
    return small, large


def _bring(page: Page) -> None:
    assert SOURCE.exists(), f"{SOURCE} is missing: run npm ci in web/"
    if page.evaluate("!('axe' in window)"):
        # Evaluated and not added as a script, which the page's content security policy forbids, as it should.
        page.evaluate(SOURCE.read_text(encoding="utf-8"))
