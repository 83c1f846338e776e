"""A few judgments to search in. No such case exists."""

from __future__ import annotations

from collections.abc import Sequence

JUDGMENTS: Sequence[tuple[str, str, str, str, str, str, str, str, str | None]] = (
    (
        "demo-judgment-1",
        "UPC_CFI_412/2025",
        "upc-ld-munich",
        "Munich Local Division",
        "2026-03-11",
        "de",
        "Wer länger als zwei Monate zuwartet, obwohl er die Verletzung kennt, lässt die Dringlichkeit entfallen.",
        "Die Antragstellerin hatte seit dem 14. August 2025 Kenntnis von der angegriffenen Ausführung. Sie kaufte am 2. September "
        "2025 ein Muster und ließ es bis zum 30. September untersuchen. Der Antrag ging am 19. Dezember 2025 ein. Die "
        "Dringlichkeit fehlt, weil mehr als zwei Monate vergangen sind, ohne dass die Antragstellerin dies erklärt hätte. "
        "Die Kosten des Verfahrens trägt die Antragstellerin. Der Streitwert wird auf 2.000.000 EUR festgesetzt.",
        None,
    ),
    (
        "demo-judgment-2",
        "UPC_CFI_88/2026",
        "upc-ld-hamburg",
        "Hamburg Local Division",
        "2026-06-24",
        "en",
        "Urgency is a matter of the individual case; a month for a technical analysis is no undue delay.",
        "The applicant learned of the attacked embodiment at a trade fair on 9 February 2026 and had it analysed within 28 days. "
        "The application for provisional measures was lodged on 20 March 2026. Under these circumstances urgency is not in "
        "doubt. The order is subject to security of EUR 350,000.",
        None,
    ),
    (
        "demo-judgment-3",
        "4b O 61/24",
        "lg-duesseldorf",
        "4b. Zivilkammer",
        "2025-09-18",
        "de",
        "Zur Äquivalenz: Ein zweiteiliger Anschlag ist einem einteiligen gleichwirkend, wenn die Beschreibung beide nennt.",
        "Die angegriffene Ausführung macht von Merkmal 1.4 mit äquivalenten Mitteln Gebrauch. Gleichwirkung, Auffindbarkeit und "
        "Gleichwertigkeit sind gegeben. Die Äquivalenz scheitert nicht an der Auswahlentscheidung, denn die Beschreibung nennt in "
        "Absatz [0023] beide Möglichkeiten. Das Urteil ist gegen Sicherheitsleistung von 750.000 EUR vorläufig vollstreckbar.",
        None,
    ),
    (
        "demo-judgment-4",
        "X ZR 31/23",
        "bgh",
        "X. Zivilsenat",
        "2024-05-14",
        "de",
        "Keine Äquivalenz, wenn das Patent sich für eine von mehreren Möglichkeiten entscheidet.",
        "Offenbart die Beschreibung mehrere Möglichkeiten, von denen nur eine beansprucht ist, so scheidet eine Verletzung mit "
        "äquivalenten Mitteln in der Regel aus.",
        None,
    ),
    (
        "demo-judgment-5",
        "UPC_CoA_217/2026",
        "upc-coa",
        "Court of Appeal, Second Panel",
        "2026-10-07",
        "en",
        "Security for costs under Rule 158: the burden of showing that an order for costs could not be enforced lies with the applicant.",
        "The defendant asked for security for costs of EUR 200,000. The Court of First Instance granted EUR 150,000. The Court of "
        "Appeal sets this aside: the claimant has its seat in the United States, but has assets of more than EUR 4 million in a "
        "Contracting Member State. The time limit of one month under Rule 158 therefore does not run.",
        None,
    ),
)
