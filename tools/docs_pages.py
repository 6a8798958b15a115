"""Pages of the site that are made while it is built: rules coverage from the program, the changelog."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

NOT_YET = "# Rules coverage\n\nThis page is made from the program once it counts its rules.\n"


def rules_coverage() -> str:
    """The page printed by `opfire rules coverage --markdown`; gaps in the coverage do not stop the site."""
    if importlib.util.find_spec("opfire.cli") is None:
        return NOT_YET
    command = [sys.executable, "-m", "opfire.cli", "rules", "coverage", "--markdown"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not done.stdout.strip():
        raise PluginError(f"opfire rules coverage --markdown printed no page: {done.stderr.strip()}")
    return done.stdout


def on_files(files: Files, config: MkDocsConfig) -> Files:
    changelog = (Path(config.config_file_path).parent / "CHANGELOG.md").read_text(encoding="utf-8")
    for page, content in (("rules-coverage.md", rules_coverage()), ("changelog.md", changelog)):
        known = files.get_file_from_path(page)
        if known is not None:
            files.remove(known)
        files.append(File.generated(config, page, content=content))
    return files
