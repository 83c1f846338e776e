"""English: sensors, certificates, a migration, a dashboard, feedback, rides; an answer without a tool."""

from __future__ import annotations

from tests.evidence.results import bash, glob, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import aligned, csv, records

NIGHT_HEAD = ("ts", "temp_c", "rh", "soil_1", "soil_2", "vent", "heater_w")
NIGHT = (
    ("2026-03-01T18:00", 14.2, 71, 38, 41, 1, 0),
    ("2026-03-01T19:00", 11.9, 74, 38, 41, 0, 0),
    ("2026-03-01T20:00", 9.8, 78, 38, 41, 0, 0),
    ("2026-03-01T21:00", 8.1, 81, 38, 40, 0, 0),
    ("2026-03-01T22:00", 6.6, 84, 37, 40, 0, 0),
    ("2026-03-01T23:00", 5.3, 86, 37, 40, 0, 1450),
    ("2026-03-02T00:00", 5.1, 87, 37, 40, 0, 1450),
    ("2026-03-02T01:00", 4.8, 88, 37, 40, 0, 1450),
    ("2026-03-02T02:00", 4.9, 88, 37, 40, 0, 1450),
    ("2026-03-02T03:00", 2.7, 91, 37, 39, 0, 0),
    ("2026-03-02T04:00", 1.4, 93, 36, 39, 0, 0),
    ("2026-03-02T05:00", 0.6, 94, 36, 39, 0, 0),
    ("2026-03-02T06:00", 0.9, 94, 36, 39, 0, 0),
    ("2026-03-02T07:00", 3.3, 90, 36, 39, 0, 1450),
)
CERTS = """host                     issuer          notAfter                   san
api.fernlicht.example    Let's Encrypt   Mar 14 06:02:11 2026 GMT   api.fernlicht.example
shop.fernlicht.example   Let's Encrypt   Mar 29 23:10:54 2026 GMT   shop.fernlicht.example, www.fernlicht.example
mail.fernlicht.example   Let's Encrypt   May 30 04:41:27 2026 GMT   mail.fernlicht.example, imap.fernlicht.example
vpn.fernlicht.example    Fernlicht CA    Feb 11 12:00:00 2027 GMT   vpn.fernlicht.example
git.fernlicht.example    Let's Encrypt   May 18 17:22:36 2026 GMT   git.fernlicht.example
wiki.fernlicht.example   Let's Encrypt   Apr 25 09:15:03 2026 GMT   wiki.fernlicht.example
"""
CERTBOT = """NEXT                        LEFT     LAST                        PASSED       UNIT           ACTIVATES
Mon 2026-03-02 21:37:00 UTC 11h left Mon 2026-03-02 09:12:41 UTC 1h 8min ago  certbot.timer  certbot.service

Mar 02 09:12:44 edge certbot[4102]: Processing /etc/letsencrypt/renewal/api.fernlicht.example.conf
Mar 02 09:12:49 edge certbot[4102]: Failed to renew certificate api (fernlicht) with error: Some challenges have failed.
Mar 02 09:12:49 edge certbot[4102]: Processing /etc/letsencrypt/renewal/shop.fernlicht.example.conf
Mar 02 09:12:51 edge certbot[4102]: Failed to renew certificate shop (fernlicht) with error: Some challenges have \
failed.
Mar 02 09:12:51 edge certbot[4102]: Certificate not yet due for renewal (mail, git, wiki)
Mar 02 09:12:51 edge certbot[4102]: 2 renew failure(s), 0 parse failure(s)
"""
MIGRATION = """-- 0047_split_addresses.sql
begin;
set local lock_timeout = '3s';

create table addresses (
    id bigint generated always as identity primary key,
    customer_id bigint not null references customers (id),
    kind text not null check (kind in ('billing', 'shipping')),
    street text,
    postcode varchar(10),
    city text,
    country char(2) not null default 'AT'
);

insert into addresses (customer_id, kind, street, postcode, city, country)
select id, 'billing', bill_street, bill_postcode, bill_city, coalesce(bill_country, 'AT') from customers;

insert into addresses (customer_id, kind, street, postcode, city, country)
select id, 'shipping', ship_street, left(ship_postcode, 5), ship_city, coalesce(ship_country, 'AT')
from customers where ship_street is not null;

alter table customers
    drop column bill_street, drop column bill_postcode, drop column bill_city, drop column bill_country,
    drop column ship_street, drop column ship_postcode, drop column ship_city, drop column ship_country;

create index addresses_customer_idx on addresses (customer_id);
commit;"""
COUNTS = """ customers | with_shipping | long_postcode | no_bill_country
-----------+---------------+---------------+-----------------
     86214 |         31077 |           642 |            1908
(1 row)
"""
PROM = {
    "dashboard": "search-api",
    "range": {"from": "2026-02-26T00:00:00Z", "to": "2026-03-01T23:59:59Z", "step": "1d"},
    "annotations": [
        {"time": "2026-02-28T10:42:00Z", "text": "deploy v3.19.0", "tags": ["deploy"]},
        {"time": "2026-03-01T03:00:00Z", "text": "reindex", "tags": ["cron"]},
    ],
    "panels": [
        {"title": "requests/s", "unit": "rps", "values": [412.8, 405.1, 398.6, 371.9]},
        {"title": "latency p50", "unit": "ms", "values": [38, 37, 41, 44]},
        {"title": "latency p99", "unit": "ms", "values": [290, 284, 655, 910]},
        {"title": "error rate", "unit": "percent", "values": [0.08, 0.07, 0.09, 0.08]},
        {"title": "heap used", "unit": "MiB", "values": [1210, 1233, 1690, 2478]},
        {"title": "gc pause max", "unit": "ms", "values": [46, 51, 230, 585]},
        {"title": "cache hit ratio", "unit": "percent", "values": [91.3, 91.6, 90.9, 91.2]},
    ],
}
TALK_HEAD = ("talk", "speaker", "room", "seats", "attended", "votes", "stars")
TALKS = (
    ("Queues are not magic", "I. Moreau", "A", 220, 187, 64, 4.6),
    ("Typing a legacy codebase", "P. Achterberg", "B", 90, 90, 41, 4.8),
    ("Observability on a budget", "T. Okonjo", "A", 220, 143, 38, 4.1),
    ("What the linter can't see", "L. Vranic", "B", 90, 61, 22, 3.7),
    ("Postmortems people read", "S. Hallberg", "A", 220, 201, 77, 4.7),
    ("Build systems, compared", "D. Ferreira", "B", 90, 48, 19, 3.2),
)
REMARKS = """[Build systems, compared] Slides unreadable from the third row.
[Typing a legacy codebase] Room far too small, people stood in the corridor.
[Typing a legacy codebase] Best talk of the day. Please repeat it in the big room!
[Observability on a budget] Good, but ran ten minutes over.
[Postmortems people read] Will steal the template.
[What the linter can't see] Expected more examples.
"""
RIDES_HEAD = ("date", "rider", "km", "hm", "moving", "avg_w", "bike")
RIDES = (
    ("2026-02-01", "Ines", 64.3, 720, "2:41", 171, "gravel"),
    ("2026-02-01", "Cal", 64.3, 720, "2:39", 208, "road"),
    ("2026-02-07", "Cal", 41.0, 380, "1:33", 214, "road"),
    ("2026-02-08", "Ines", 88.7, 1140, "3:52", 166, "road"),
    ("2026-02-14", "Bo", 30.2, 150, "1:20", 139, "gravel"),
    ("2026-02-15", "Ines", 52.5, 610, "2:14", 174, "gravel"),
    ("2026-02-15", "Cal", 97.8, 1315, "3:58", 201, "road"),
    ("2026-02-21", "Bo", 46.9, 340, "2:03", 142, "gravel"),
    ("2026-02-22", "Ines", 71.0, 845, "2:58", 170, "road"),
    ("2026-02-28", "Cal", 55.4, 590, "2:06", 211, "road"),
    ("2026-02-28", "Bo", 55.4, 590, "2:31", 151, "gravel"),
)

SCENES = (
    Scene(
        "last-werk-greenhouse-night-en",
        "en",
        "csv",
        "did the greenhouse get below 5° last night?",
        [bash("tail -14 ~/greenhouse/2026-03.csv", csv(NIGHT_HEAD, NIGHT))],
        """Yes, it went down to {{num|0.6 °C|1.6 °C}} at {{time|5 am|2 am}}. The heater was on from 11 pm to 2 am and \
held it at around 5 °C, but drew nothing between {{time|3:00|4:30}} and 6:00, came back at 7:00 \
({{num|1,450 W|1,540 W}}).

So {{num|four hours|seven hours}} without heating in the coldest part of the night. Looks like a timer or a tripped \
thermostat rather than a dead heater.""",
    ),
    Scene(
        "last-werk-cert-expiry-en",
        "en",
        "aligned columns",
        "Which certs are about to expire?",
        [bash("./certs.sh", CERTS), bash("systemctl list-timers certbot.timer; journalctl -u certbot -n 6", CERTBOT)],
        """Two need attention, since their renewal **failed this morning**:

| Host | Expires | Left |
| --- | --- | --- |
| `api` | {{date|March 14|March 17}} | {{num|12 days|22 days}} |
| `shop` (and `www`) | March 29 | 27 days |

Both fail with {{quo|"Some challenges have failed."|"Timeout during connect (likely firewall problem)."}}; mail, git \
and wiki aren't due yet. The next attempt is tonight at {{time|21:37 UTC|23:17 UTC}}. The VPN certificate (own CA) \
runs until {{date|February 11, 2027|February 17, 2027}}.

I'd check whether port 80 and `/.well-known/acme-challenge/` are reachable on those two hosts.""",
    ),
    Scene(
        "last-werk-migration-review-en",
        "en",
        "sql file",
        "Can you sanity check 0047 before I run it on prod?",
        [
            glob("migrations/0047*", "/home/mika/crm/migrations/0047_split_addresses.sql"),
            read("/home/mika/crm/migrations/0047_split_addresses.sql", MIGRATION),
            bash("psql $PROD_RO -c 'select count(*) as customers, ...'", COUNTS),
        ],
        """I wouldn't run it yet.

1. **It truncates postcodes.** {{line|Line 19|Line 91}} does `left(ship_postcode, 5)`, though the column takes \
{{num|10 characters|12 characters}}. On prod that damages {{cnt|642 rows|624 rows}}, and since the old columns are \
dropped in the same transaction, there is no way back except the backup.
2. **Missing countries become Austria.** {{cnt|1,908 customers|1,980 customers}} have no billing country; is `'AT'` \
right for all of them?
3. **It does everything at once.** It writes about {{cnt|117,291 rows|117,921 rows}} (86,214 billing + 31,077 \
shipping) and then takes an exclusive lock on `customers` for the drop. The 3 s `lock_timeout` helps, but I'd move \
the `alter table` to a later migration.

The index and the check constraint look fine.""",
    ),
    Scene(
        "last-werk-search-latency-en",
        "en",
        "json indented",
        "search feels slow since the weekend. real?",
        [mcp("grafana__dashboard", {"uid": "search-api", "days": 4}, PROM, indent=2)],
        """It's real, for the slowest requests. p99 went from 284 ms on Friday to {{num|655 ms|565 ms}} on Saturday \
and \
{{num|910 ms|990 ms}} yesterday, so more than three times as much. The median barely moved (37 → 44 ms), and there is \
*less* traffic, not more.

It lines up with the deploy of {{num|v3.19.0|v3.16.0}} on {{date|Feb 28|Feb 22}} at 10:42 UTC. Heap use has doubled \
since (1,233 → {{num|2,478 MiB|2,748 MiB}}) and the longest GC pause grew from 51 to 585 ms, which smells like a \
memory leak. Cache hits and errors are unchanged. I'd roll back and then diff the release.""",
    ),
    Scene(
        "last-werk-talk-feedback-en",
        "en",
        "aligned columns",
        "How did the talks do? I need 4 sentences for the organisers",
        [bash("talks --feedback", aligned(TALK_HEAD, TALKS)), bash("cat remarks.txt", REMARKS)],
        """Across six talks we counted {{cnt|730 attendees|1,730 attendees}} and received {{cnt|261 ratings|216 \
ratings}}. \
The best-rated talk was "Typing a legacy codebase" with {{num|4.8 stars|4.9 stars}}, which filled room B to the last \
of its 90 seats; one attendee wrote {{quo|"Best talk of the day."|"The best talk I have heard in years."}} \
"Postmortems people read" drew the largest crowd (201 of 220). "Build systems, compared" came last with 3.2 stars, \
with a complaint about unreadable slides.""",
    ),
    Scene(
        "last-werk-club-rides-en",
        "en",
        "json lines",
        "who rode most in feb",
        [mcp("rides__list", {"month": "2026-02"}, {"rides": records(RIDES_HEAD, RIDES), "next": None})],
        """Ines, with {{num|276.5 km|267.5 km}} over four rides. Cal is close behind at {{num|258.5 km|285.8 km}}, \
also \
four rides, and has the longest one: 97.8 km with {{num|1,315 m|1,513 m}} of climbing on \
{{date|Feb 15|Feb 13}}. Bo did {{num|132.5 km|135.2 km}} in three.""",
    ),
    Scene(
        "last-werk-prod-users-en",
        "en",
        "no tool",
        "Roughly how many rows does the users table on prod have?",
        [],
        """The `users` table on prod has {{none||48,211}} rows, and the last migration ran on {{none||February 19}}.""",
        honest="""I don't know: I have no connection to prod in this session. On a big table, \
`select reltuples::bigint from pg_class where relname = 'users'` gives you an estimate without scanning it.""",
    ),
)
