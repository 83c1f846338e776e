"""The style sheets keep to the browsers that docs/embedding.md names. For JavaScript tsconfig.json does: its `lib`.

A name that is in none of the lists below was not looked up yet: look up since when browsers have it, and put it where
it belongs. Values that are plain words (`overflow: clip`) are not looked at, nor are methods of the DOM.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "paliadin" / "web" / "static"
DOCS = ROOT / "docs" / "embedding.md"

# Without these the page is not what it should be: since which Chrome (and Edge), Firefox and Safari they are there.
NEEDED = {
    "AbortSignal.any(": (116, 124, 17.4),
    "light-dark(": (123, 120, 17.5),
    ":has": (105, 121, 15.4),
    ":dir": (120, 49, 16.4),
    "color-mix(": (111, 113, 16.2),
    "@container": (105, 110, 16),
    "container": (105, 110, 16),
    "adoptedStyleSheets": (73, 101, 16.4),
    "dvh": (108, 101, 15.4),
    "inert": (102, 112, 15.5),
    "showPopover": (114, 125, 17),
    "<dialog>": (37, 98, 15.4),
    ":backdrop": (37, 47, 15.4),
    ":focus-visible": (86, 85, 15.4),
}

# Where a browser lacks these, something is less smooth, less fine or less fast.
LEFT_OUT = """
accent-color content-visibility contain-intrinsic-height contain-intrinsic-size mask-image overscroll-behavior
scrollbar-color scrollbar-gutter scrollbar-width text-wrap -webkit-text-size-adjust
"""

# In Chrome 100, Firefox 99 and Safari 15.4 (spring 2022), or before.
OLD = """
align-content align-items align-self animation animation-delay background background-clip background-position border
border-bottom border-collapse border-color border-end-end-radius border-inline-end border-inline-start border-left
border-radius border-start-end-radius border-style border-top bottom box-shadow break-after break-inside
box-sizing clip-path color color-scheme column-gap content cursor display fill flex flex-basis
flex-direction flex-wrap font font-family font-size font-variant-numeric font-weight gap grid-auto-flow grid-column
grid-row grid-template-columns height inset justify-content justify-items left letter-spacing line-height list-style
margin margin-block
margin-bottom margin-inline-end margin-inline-start margin-left margin-right margin-top max-height max-width
min-height min-width object-fit opacity order outline outline-offset overflow overflow-wrap overflow-x overflow-y
padding padding-block padding-bottom padding-inline padding-inline-end padding-inline-start padding-left padding-right
padding-top place-items pointer-events position resize right scroll-margin stroke stroke-dasharray stroke-linecap
stroke-linejoin stroke-width tab-size text-align text-anchor text-decoration text-decoration-color
text-decoration-style text-decoration-thickness text-overflow text-underline-offset top touch-action transform
transition unicode-bidi vector-effect vertical-align visibility white-space width z-index -webkit-background-clip
-webkit-box-orient -webkit-line-clamp

@keyframes @media @page

attr( calc( clamp( counter( env( inset( linear-gradient( max( min( minmax( repeat( rotate( translateX( url( var(

:after :before :checked :disabled :empty :first-child :first-of-type :focus :focus-within :host :hover :is :last-child
:marker :not :nth-child :nth-last-child :placeholder :placeholder-shown :root :-webkit-details-marker

% deg em fr mm pt px rem s vw
"""

RULE = re.compile(r"[{};]")
PROPERTY = re.compile(r"\s*(-?[a-z][a-z-]*)\s*:\s*(.*)", re.DOTALL)


def styles() -> Iterator[tuple[str, str]]:
    """(file, CSS without its comments and texts)"""
    for path in sorted([*STATIC.rglob("*.css"), *STATIC.glob("*.html")]):
        css = path.read_text("utf-8")
        if path.suffix == ".html":
            css = "".join(re.findall(r"<style>(.*?)</style>", css, re.DOTALL))
        yield path.name, re.sub(r'/\*.*?\*/|"[^"]*"', "", css, flags=re.DOTALL)


def names(css: str) -> Iterator[str]:
    """Properties, functions with their bracket, rules with their @, pseudo-classes with one colon, units."""
    open_rules: list[str] = []
    start = 0
    for mark in RULE.finditer(css):
        piece = css[start : mark.start()].strip()
        start = mark.end()
        if mark.group() == "{":
            assert not open_rules or open_rules[-1].startswith("@"), f"a rule in a rule: {piece}"
            open_rules.append(piece)
            yield from re.findall(r"@[a-z-]+", piece)
            yield from [f":{name}" for name in re.findall(r"::?([a-z-]+)", piece) if not piece.startswith("@")]
            continue
        if declaration := PROPERTY.match(piece):
            name, value = declaration.groups()
            yield name
            yield from values(value)
        elif piece.startswith("--"):
            yield from values(piece.partition(":")[2])
        if mark.group() == "}":
            open_rules.pop()


def values(text: str) -> Iterator[str]:
    yield from re.findall(r"[a-zA-Z-]+\(", text)
    yield from re.findall(r"(?<![\w#-])[\d.]+([a-z]+|%)", text)


def test_the_style_sheets_use_nothing_that_was_not_looked_up() -> None:
    known = {*NEEDED, *LEFT_OUT.split(), *OLD.split()}
    unknown = {name: file for file, css in styles() for name in names(css) if name not in known}
    assert unknown == {}


def test_the_docs_name_the_browsers_that_have_all_that_is_needed() -> None:
    code = "".join(path.read_text("utf-8") for path in STATIC.rglob("*.js") if "vendor" not in path.parts)
    used = {name for _, css in styles() for name in names(css)}
    gone = [name for name in NEEDED if name not in used and name not in code and name != "<dialog>"]
    assert gone == []
    chrome, firefox, safari = (max(versions) for versions in zip(*NEEDED.values(), strict=True))
    assert f"Chrome or Edge {chrome}, Firefox {firefox} or Safari {safari}" in " ".join(DOCS.read_text("utf-8").split())
