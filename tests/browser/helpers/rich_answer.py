"""An answer with all that the page renders: code, formulas, callouts, footnotes, tables, what folds."""

from __future__ import annotations

from collections.abc import Iterator

LONG = "".join(f"def step_{n}(value: int) -> int:\n    return value + {n}  # step {n}\n" for n in range(30))
RICH = """## What an answer may have

The price is $5 to $10. The area is $A = \\pi r^2$, and for all $n \\ge 1$[^1]:

$$
\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}
$$

> [!NOTE]
> A deadline that ends on a **Sunday** ends on the next working day.

> [!WARNING]
> Do not rely on this alone[^2].

- [x] read the file
- [ ] ask the client

```python
LONG```

```sql
select id, due_on from deadlines where due_on > '2026-01-01' and done = false; -- open ones
```

```mermaid
flowchart LR
  A["Filed"] -->|served| B["Appeal"]
```

<details>
<summary>How it was **counted**</summary>

From the day after service, with `two months` in `§ 517 ZPO`:

1. service
2. the end

</details>

| court | days |
| --- | ---: |
| Munich | 31 |

[^1]: By induction.
[^2]: Ask a lawyer.
""".replace("LONG", LONG)
FORMULAS = """The integral is $\\int_0^1 x^2 \\, dx = \\tfrac13$ and the matrix is

$$
\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}
$$

"""
TABLE = "| name | value | note |\n|---|---:|---|\n" + "| some value | 12,345.67 | another value |\n" * 12 + "\n"
WORDS = "A paragraph of many words that goes on, as long answers do, with **bold** and `code` in it. " * 13 + "\n\n"


def fifty_kilobytes() -> Iterator[str]:
    """50 kB: ten blocks of code, tables, formulas and paragraphs."""
    for number in range(10):
        yield f"## Part {number}\n\n"
        yield from (WORDS, FORMULAS, TABLE)
        yield from (f"{line}\n" for line in f"```python\n{LONG}```".split("\n"))
        yield "\n"
        yield WORDS


FORMULA_ATTACKS = (
    r"\href{javascript:window.hacked=1}{x}",
    r"\url{https://evil.example/x}",
    r"\includegraphics[height=9em]{https://evil.example/x.png}",
    r"\htmlData{x=1}{a} \class{turn}{a} \id{turns}{a} \style{position:fixed;inset:0}{a}",
    r"\data{x=1}{a}",
    r"\text{<img src=x onerror=window.hacked=1>}",
    r"\color{red;background:url(https://evil.example/c)}{a}",
    r"\colorbox{url(https://evil.example/b)}{a}",
    r"\def\a{\a\a}\a",
    r"\newcommand{\b}{\b\b\b}\b",
    r"\def\a#1{" + "#1" * 100 + r"}\a{\a{" + "x" * 200 + "}}",
    r"\def\arraystretch{9999}\begin{matrix}a\\b\end{matrix}",
    r"\rule[-9999em]{20em}{20em}",
    r"\rule{1000em}{1000em}",
    r"\raisebox{-100em}{over what is below} \kern-100em left",
    r"\hspace{-1000em}x\hspace{1000em}",
    r"\smash{\rule{10em}{20em}}",
    r"\ref{turns} \label{turns} \tag{\href{javascript:hacked=1}{x}}",
    r"\unicode{x202e}\char`\<script\char`\>",
    "{" * 900 + "x" + "}" * 900,
    r"\sqrt{" * 200 + "x" + "}" * 200,
    "x^{" * 150 + "x" + "}" * 150,
    r"\begin{matrix}" + "&" * 900 + r"\end{matrix}",
    r"\frac12" * 120,
)
