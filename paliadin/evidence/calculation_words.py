"""Words by which a text says that a number was calculated, and how."""

from __future__ import annotations

import re

COMPARES = re.compile(
    r"\b(?:länger|kürzer|went (?:up|down)|gone (?:up|down)|"
    r"gegenüber|versus|vs|compared|mehr|weniger|höher|niedriger|teurer|billiger|größer|kleiner|longer|shorter|more|less|"
    r"fewer|higher|"
    r"lower|cheaper|larger|smaller|than|als|Differenz|Unterschied|difference|gap|rest\w*|remain\w*|übrig|left|"
    r"verbleib\w*|"
    r"noch|still|fehl\w*|missing|faster|slower|schneller|langsamer|fell|fallen|rose|risen|"
    r"drop\w*|increase\w*|decrease\w*|grew|grown|saved?|stieg\w*|gestiegen|fiel\w*|gefallen|gesunken|gewachsen|spar\w*)\b",
    re.IGNORECASE,
)
IN_ALL = re.compile(
    r"\b(?:total\w*|zusammen|insgesamt|together|in all|altogether|so far|sum\w*|gesamt\w*|overall|combined|bisher|"
    r"davon|of (?:it|them|which)|"
    r"in Summe|all)\b",
    re.IGNORECASE,
)
REST_BEFORE = re.compile(
    r"\b(?:übrigen|restlichen|anderen|remaining|others?|rest)(?: (?:are|sind))? ?\Z", re.IGNORECASE
)
MEAN = re.compile(r"\b(?:durchschnitt\w*|\w*schnitt|average|mean|mittel\w*|je|pro|per|each|a)\b", re.IGNORECASE)
TOP = re.compile(r"\b(?:top|first|largest|biggest|ersten|größten|teuersten|beiden|both)\b", re.IGNORECASE)
TAX = re.compile(r"\b(?:USt|MwSt|Umsatzsteuer|Mehrwertsteuer|VAT)\b", re.IGNORECASE)
SHARE = re.compile(r"(?<![\d.,])(\d{1,3}(?:[.,]\d{1,2})?) ?%")
YEARLY = re.compile(r"\b(?:a year|per year|yearly|annually|im Jahr|pro Jahr|jährlich)\b", re.IGNORECASE)
