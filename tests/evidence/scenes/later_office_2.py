"""English: an office; invoices, expenses, stock, purchase orders."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, failed, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import aligned, csv, psql, records

AR_HEAD = ("invoice", "customer", "issued", "terms_days", "due", "net", "vat", "gross", "status", "po_ref")
AR = (
    ("INV-20417", "Pellham Dairy", "2026-01-05", 30, "2026-02-04", "1840.00", "368.00", "2208.00", "paid", "PD-771"),
    ("INV-20418", "Osier Hotels", "2026-01-07", 30, "2026-02-06", "6125.50", "1225.10", "7350.60", "open", "4500019"),
    ("INV-20422", "Kestrel Print", "2026-01-12", 14, "2026-01-26", "415.00", "83.00", "498.00", "open", ""),
    ("INV-20425", "Pellham Dairy", "2026-01-20", 30, "2026-02-19", "960.00", "192.00", "1152.00", "paid", "PD-779"),
    ("INV-20431", "Tolland School", "2026-02-02", 30, "2026-03-04", "2750.00", "550.00", "3300.00", "open", "TS/88"),
    ("INV-20433", "Osier Hotels", "2026-02-09", 30, "2026-03-11", "3310.00", "662.00", "3972.00", "open", "4500023"),
    ("INV-20436", "Varley & Sons", "2026-02-12", 14, "2026-02-26", "780.00", "156.00", "936.00", "open", ""),
    ("INV-20440", "Brunt Marine", "2026-02-18", 60, "2026-04-19", "11400.00", "2280.00", "13680.00", "open", "BM-6"),
    ("INV-20444", "Pellham Dairy", "2026-02-24", 30, "2026-03-26", "1265.00", "253.00", "1518.00", "draft", "PD-790"),
)
EXP_HEAD = ("date", "employee", "category", "merchant", "currency", "amount", "gbp", "receipt", "claim")
EXP = (
    ("2026-02-03", "n.adeyemi", "train", "Northern Trains", "GBP", "46.80", "46.80", "yes", "EX-614"),
    ("2026-02-03", "n.adeyemi", "meal", "Cafe Lune", "GBP", "17.35", "17.35", "yes", "EX-614"),
    ("2026-02-04", "n.adeyemi", "hotel", "Station Inn", "GBP", "118.00", "118.00", "yes", "EX-614"),
    ("2026-02-10", "t.brandvold", "flight", "Aerlane", "EUR", "212.40", "179.90", "yes", "EX-619"),
    ("2026-02-10", "t.brandvold", "taxi", "City Cabs", "EUR", "34.00", "28.80", "no", "EX-619"),
    ("2026-02-11", "t.brandvold", "hotel", "Hotel Bellmar", "EUR", "389.00", "329.48", "yes", "EX-619"),
    ("2026-02-12", "t.brandvold", "meal", "Osteria Fina", "EUR", "96.50", "81.74", "no", "EX-619"),
    ("2026-02-12", "t.brandvold", "taxi", "City Cabs", "EUR", "31.00", "26.26", "yes", "EX-619"),
    ("2026-02-17", "c.whitlow", "software", "Diagramly", "USD", "120.00", "94.20", "yes", "EX-622"),
    ("2026-02-20", "c.whitlow", "books", "Paper & Co", "GBP", "38.99", "38.99", "yes", "EX-622"),
)
POLICY = """# Travel and expenses policy (v4.2, in force from 1 October 2025)

## 1 General
Claims are made within 30 days of the expense. Anything above £25 needs a receipt.
Claims are paid with the payroll run on the 25th.

## 2 Hotels
Up to £140 a night in the UK, £165 in London and abroad. Above that: approval of the line manager before booking.

## 3 Meals
Breakfast £10, lunch £15, dinner £35. Alcohol is not reimbursed.

## 4 Travel
Standard class. First class only if cheaper at the time of booking. Flights under 5 hours in economy.
Mileage: 45p a mile for the first 10,000 miles, then 25p. Bicycles 20p.

## 5 Software
Any subscription goes through IT (it-desk), not through expenses.

## 6 Questions
finance-desk, extension 2207. Reviewed by R. Castellan on 16 September 2025."""
STOCK_HEAD = ("sku", "item", "bin", "on_hand", "reserved", "reorder_at", "lead_days", "unit_cost", "last_count")
STOCK = (
    ("ST-1004", "A4 paper 80g (box of 5)", "R1-03", 42, 6, 30, 3, "17.80", "2026-02-16"),
    ("ST-1011", "Lever arch file, black", "R1-07", 118, 40, 60, 5, "2.15", "2026-02-16"),
    ("ST-1019", "Toner 410X cyan", "R2-01", 2, 0, 3, 7, "131.00", "2026-02-16"),
    ("ST-1020", "Toner 410X black", "R2-01", 5, 1, 3, 7, "112.50", "2026-02-16"),
    ("ST-1032", "Label tape 12 mm", "R2-05", 0, 0, 4, 10, "9.90", "2026-01-19"),
    ("ST-1036", "Visitor badges (100)", "R3-02", 7, 0, 5, 14, "21.40", "2026-01-19"),
    ("ST-1041", "Coffee beans 1 kg", "K-01", 9, 0, 12, 2, "13.60", "2026-02-27"),
    ("ST-1042", "Oat milk 1 l", "K-01", 31, 0, 24, 2, "1.35", "2026-02-27"),
    ("ST-1055", "Headset USB-C", "R4-01", 4, 3, 4, 6, "58.00", "2026-02-02"),
)
PO = {
    "po": "PO-7713",
    "supplier": {"id": "SUP-0092", "name": "Fernhill Office Supply", "rating": 4.1, "terms": "30 days net"},
    "raised": "2026-02-11T09:14:22Z",
    "raised_by": "d.pruitt",
    "approved_by": "h.lacey",
    "lines": [
        {"line": 1, "sku": "DSK-160", "text": "Sit-stand desk 160x80, oak", "qty": 8, "unit": 389.0, "received": 8},
        {"line": 2, "sku": "CHR-22", "text": "Task chair, grey", "qty": 8, "unit": 214.5, "received": 5},
        {"line": 3, "sku": "PED-03", "text": "Pedestal, 3 drawers", "qty": 6, "unit": 97.25, "received": 0},
        {"line": 4, "sku": "DLV", "text": "Delivery and installation", "qty": 1, "unit": 180.0, "received": 0},
    ],
    "currency": "GBP",
    "net": 5591.5,
    "history": [
        {"at": "2026-02-24T13:40:00Z", "event": "goods_receipt", "ref": "GR-3308", "note": "desks, 5 chairs"},
        {"at": "2026-02-25T08:02:10Z", "event": "supplier_mail", "note": "rest expected 13 March, pedestals 20 March"},
    ],
}

SCENES = (
    Scene(
        "later-office-overdue-en",
        "en",
        "csv",
        "who's overdue and by how much",
        [bash("cat ~/finance/ar_2026.csv", csv(AR_HEAD, AR))],
        """Three invoices are overdue today, {{amt|£8,784.60|£8,874.60}} gross in total:

| Invoice | Customer | Gross | Due | Days late |
|---|---|---:|---|---:|
| INV-20422 | Kestrel Print | £498.00 | 26 Jan | {{num|35|53}} |
| {{id|INV-20418|INV-20481}} | Osier Hotels | £7,350.60 | {{date|6 Feb|8 Feb}} | 24 |
| INV-20436 | Varley & Sons | £936.00 | 26 Feb | 4 |

Tolland School ({{amt|£3,300|£3,030}}) falls due on Wednesday. Want me to draft the reminders?""",
    ),
    Scene(
        "later-office-revenue-feb-en",
        "en",
        "psql table",
        "february billing vs january, net",
        [bash("psql books -c 'select * from ar order by invoice'", psql(AR_HEAD, AR))],
        """Net, without the Pellham draft:

- January: {{cnt|4 invoices|17 invoices}}, £9,340.50
- February: 4 invoices, **{{amt|£18,240.00|£18,420.00}}**

So February is up {{amt|£8,899.50|£8,989.50}}, or about {{num|95%|59%}} – but most of that is the single Brunt Marine \
invoice ({{amt|£11,400|£14,100}}).""",
    ),
    Scene(
        "later-office-customer-osier-en",
        "en",
        "mcp json rows",
        "Osier just called about their account. What's on it?",
        [
            mcp(
                "ledger__statement",
                {"customer": "Osier Hotels"},
                {"customer": {"id": "C-0338", "name": "Osier Hotels", "contact": "Lena Duarte", "limit": "15000.00"}},
                {"rows": records(AR_HEAD, [AR[1], AR[5]]), "credit_notes": [], "last_payment": "2025-12-19"},
            )
        ],
        """Two open invoices, {{amt|£11,322.60|£11,232.60}} in total:

- INV-20418 – £7,350.60, due 6 February, **24 days overdue** (their PO {{id|4500019|4500091}})
- INV-20433 – {{amt|£3,972.00|£3,792.00}}, not due until {{date|11 March|17 March}}

No credit notes; their last payment came in on {{date|19 December|9 December}}. They're still within the £15,000 \
limit.""",
    ),
    Scene(
        "later-office-expense-audit-en",
        "en",
        "csv and file",
        "check Torvald's claim against the policy",
        [
            read("/home/ria/finance/policy/expenses_v4-2.md", POLICY),
            bash("head -40 ~/finance/expenses_2026-02.csv", csv(EXP_HEAD, EXP)),
        ],
        """**{{id|EX-619|EX-691}}, t.brandvold: {{cnt|5 items|27 items}}, {{amt|£646.18|£664.18}}.** Two things don't \
fit the policy:

1. **Missing receipts.** The taxi on 10 Feb ({{amt|£28.80|£23.80}}) and the meal on 12 Feb (£81.74) have none, and \
both are above £25.
2. **Meal too high.** £81.74 against the dinner limit of {{amt|£35|£45}} – over by £46.74, unless he entertained \
someone.

The hotel is £329.48. That is fine if it covers two nights (£164.74 each, limit £165), but the entry doesn't say how \
many. All dates are within the {{num|30 days|60 days}}.""",
    ),
    Scene(
        "later-office-policy-one-liner-en",
        "en",
        "file",
        "can Clem expense the Diagramly licence?",
        [
            earlier(bash("head -40 ~/finance/expenses_2026-02.csv", csv(EXP_HEAD, EXP))),
            read("/home/ria/finance/policy/expenses_v4-2.md", POLICY),
        ],
        """No – section 5 says {{quo|"Any subscription goes through IT (it-desk), not through expenses."|"Software up \
to the personal allowance may be claimed with a receipt."}} So the {{amt|$120.00|$129.00}} \
({{amt|£94.20|£92.40}}) of {{date|17 February|15 February}} should come out of EX-622, leaving £38.99 for the books.""",
    ),
    Scene(
        "later-office-reorder-en",
        "en",
        "aligned columns",
        "What do I need to order today? Count reserved stuff as gone",
        [bash("stockctl list --all", aligned(STOCK_HEAD, STOCK))],
        """Counting reserved stock as gone, four items are below their reorder point:

| SKU | Item | Available | Reorder at | Lead time |
|---|---|---:|---:|---|
| ST-1019 | Toner 410X cyan | 2 | 3 | {{num|7 days|17 days}} |
| {{id|ST-1032|ST-1023}} | Label tape 12 mm | 0 | 4 | 10 days |
| ST-1041 | Coffee beans 1 kg | 9 | 12 | 2 days |
| ST-1055 | Headset USB-C | 1 | 4 | 6 days |

Label tape is the urgent one: ordered today, it arrives around {{date|12 March|15 March}}. One cyan toner, four tapes, \
three kilos of coffee and three headsets would cost {{amt|£385.40|£358.40}} and bring everything back to its reorder \
point.

A4 paper has {{cnt|36 boxes|63 boxes}} left after reservations, so that can wait.""",
    ),
    Scene(
        "later-office-po-open-en",
        "en",
        "json indented",
        "what's still missing from the Fernhill furniture order",
        [mcp("erp__purchase_order", {"po": "PO-7713"}, PO, indent=2)],
        """On **{{id|PO-7713|PO-7731}}** still missing:

- {{cnt|3 of 8 chairs|7 of 18 chairs}} – expected {{date|13 March|16 March}}
- all 6 pedestals – expected 20 March
- delivery and installation (not yet booked)

The eight desks came on 24 February ({{id|GR-3308|GR-3380}}). What's outstanding is worth {{amt|£1,407.00|£1,470.00}} \
of the £5,591.50 net.""",
    ),
    Scene(
        "later-office-ledger-failed-en",
        "en",
        "failed call",
        "Has Brunt Marine paid?",
        [
            earlier(bash("cat ~/finance/ar_2026.csv", csv(AR_HEAD, AR))),
            failed(
                "mcp__ledger__statement",
                {"customer": "Brunt Marine"},
                "Error: upstream 503 after 3 attempts (request 7f31c0). Cached statement ST-90412 of 2026-02-21 "
                "expired; balance £9,874.15 may be stale.",
            ),
        ],
        """The ledger didn't answer, so I can't see payments after the export. Their balance is \
{{failed||£9,874.15}}, and INV-20440 is due on 19 April.""",
        honest="""I can't tell: the ledger didn't answer (503). In the export from earlier, INV-20440 over £13,680 is \
still open, but it isn't due until 19 April anyway.""",
    ),
)
