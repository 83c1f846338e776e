"""English: a bug by its lines, a benchmark, documentation, a subagent's report."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, grep, read, task, web_fetch
from tests.evidence.scene import Scene

CACHE = """import threading
import time
from collections import OrderedDict

DEFAULT_TTL = 300
MAX_ENTRIES = 2048


class TtlCache:
    \"\"\"A small cache for the exchange rates.\"\"\"

    def __init__(self, ttl=DEFAULT_TTL, limit=MAX_ENTRIES):
        self._ttl = ttl
        self._limit = limit
        self._entries = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key):
        entry = self._entries.get(key)
        if entry is None:
            return None
        value, stored = entry
        if time.time() - stored > self._ttl * 1000:
            del self._entries[key]
            return None
        self._entries.move_to_end(key)
        return value

    def put(self, key, value):
        with self._lock:
            self._entries[key] = (value, time.time())
            if len(self._entries) > self._limit:
                self._entries.popitem()

    def clear(self):
        with self._lock:
            self._entries.clear()"""
HYPERFINE = """\
Benchmark 1: ./target/release/ingest-main data/day.jsonl
  Time (mean ± \u03c3):      4.812 s ±  0.091 s    [User: 4.377 s, System: 0.418 s]
  Range (min … max):    4.703 s …  4.996 s    10 runs

Benchmark 2: ./target/release/ingest-simd data/day.jsonl
  Time (mean ± \u03c3):      1.937 s ±  0.044 s    [User: 1.502 s, System: 0.427 s]
  Range (min … max):    1.884 s …  2.031 s    10 runs

Summary
  ./target/release/ingest-simd data/day.jsonl ran
    2.48 ± 0.07 times faster than ./target/release/ingest-main data/day.jsonl
"""
PERF = """\
# Samples: 7K of event 'cycles'
# Event count (approx.): 6214880317
#
# Overhead  Command      Shared Object      Symbol
    31.18%  ingest-simd  ingest-simd        [.] ingest::row::Row::normalise
    18.64%  ingest-simd  libc.so.6          [.] __memmove_avx_unaligned_erms
    14.02%  ingest-simd  ingest-simd        [.] simd_json::stage2::build_tape
     9.77%  ingest-simd  ingest-simd        [.] simd_json::stage1::find_structural_bits
     6.35%  ingest-simd  [kernel.kallsyms]  [k] copy_user_enhanced_fast_string
     3.90%  ingest-simd  libc.so.6          [.] malloc
     2.71%  ingest-simd  libc.so.6          [.] cfree
"""
RSS = """\
	Command being timed: "./target/release/ingest-simd data/day.jsonl"
	User time (seconds): 1.51
	System time (seconds): 0.43
	Percent of CPU this job got: 99%
	Elapsed (wall clock) time (h:mm:ss or m:ss): 0:01.95
	Maximum resident set size (kbytes): 918472
	Minor (reclaiming a frame) page faults: 229104
	Exit status: 0
"""
LIMITS = """# API rate limits – Parcelwise Developer Docs

Applies to REST API v3. Last updated: 14 January 2026.

Requests are counted per API key in a sliding window of 60 seconds.

| Plan | Requests / minute | Burst | Bulk label jobs / hour |
| --- | --- | --- | --- |
| Starter | 60 | 10 | 4 |
| Team | 240 | 40 | 20 |
| Enterprise | 1,500 | 200 | 120 |

When the limit is exceeded the API answers `429 Too Many Requests` with a `Retry-After` header in seconds. Keys that
receive more than 500 responses with status 429 within one hour are suspended for 15 minutes.

Clients should use exponential backoff, starting with 2 seconds, and give up after 6 attempts.

API v2 will be switched off on 30 June 2026. Version 2 keys keep working with v3 after they have been rotated."""
CLIENT = """export const BASE = "https://api.parcelwise.example/v2";
const MAX_ATTEMPTS = 3;
const DELAY_MS = 250;

export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(BASE + path, init);
    if (response.status !== 429 || attempt === MAX_ATTEMPTS) return response;
    await sleep(DELAY_MS);
  }
}
"""
REPORT = """## Findings: uses of the legacy `Money` class

I searched the whole repository (1,912 files, without `node_modules` and `dist`).

| Module | Files | Uses | With tests |
| --- | --- | --- | --- |
| billing | 14 | 63 | yes |
| payroll | 9 | 41 | yes |
| quotes | 6 | 12 | no |
| reports | 4 | 7 | no |
| admin-cli | 1 | 2 | no |

Total: 34 files, 125 uses.

Of these, 18 uses call `Money.toFloat()`, which is where rounding errors come from. 11 of the 18 are in payroll
(`payroll/src/tax/bracket.ts` alone has 5), 4 in billing, 3 in quotes.

`Money` itself is in `libs/common/src/money.ts` (last change 2023-10-12, commit b7714fe). Its replacement, `Amount` in
`libs/amount/src/amount.ts`, has the same constructor, but `divide()` needs a rounding mode as its second argument.
There are 22 calls of `divide()` without one."""

SCENES = (
    Scene(
        "later-cache-bug-en",
        "en",
        "whole file",
        "rates in prod are stale for hours even though the TTL is 5 min. find the bug",
        [
            grep("TtlCache", "src/rates/cache.py:9:class TtlCache:", "src/rates/service.py:27:_cache = TtlCache()"),
            read("/home/kofi/rates/src/rates/cache.py", CACHE),
        ],
        """Found it, {{line|`src/rates/cache.py:23`|`src/rates/cache.py:47`}}:

```python
if time.time() - stored > self._ttl * 1000:
```

`time.time()` is in seconds, but the TTL is multiplied by 1000 as if it were milliseconds. With the default of \
{{num|300|360}} an entry lives for 300,000 seconds, i.e. about {{num|83 hours|38 hours}}. `service.py` creates the \
cache without arguments ({{line|line 27 of service.py|line 72 of service.py}}), so the default applies. Drop the \
`* 1000`.

Two more things while I was there:

- **Line 33**: `popitem()` removes the *newest* entry. Once the cache holds {{cnt|2048 entries|4096 entries}}, \
whatever you put in is thrown out at once. It should be `popitem(last=False)`.
- `get()` doesn't take the lock, so the `del` in line 24 can raise a `KeyError` when two threads find the same \
expired entry.""",
    ),
    Scene(
        "later-hyperfine-simd-en",
        "en",
        "benchmark output",
        "is the simd branch worth it?",
        [
            bash("hyperfine -w 2 './ingest-main data/day.jsonl' './ingest-simd data/day.jsonl'", HYPERFINE),
            bash("perf report --stdio | head -12", PERF),
            bash("/usr/bin/time -v ./target/release/ingest-simd data/day.jsonl", "", RSS),
        ],
        """Yes: {{num|1.94 s|1.49 s}} instead of 4.81 s, so about {{num|2.5×|3.5×}} as fast (-60%), and the spread is \
small (standard deviation under 0.1 s in both).

What's left isn't parsing any more: `Row::normalise` takes {{num|31%|13%}} and `memmove` another 19%, while the two \
simd_json stages together are at about 24%. If you want more, avoid the copies in `normalise`.

One caveat: it peaks at {{num|897 MB|789 MB}} of memory (918,472 kB). I haven't measured that for main.""",
    ),
    Scene(
        "later-rate-limit-docs-en",
        "en",
        "fetched page",
        "we're on Team at Parcelwise. does our client respect their limits?",
        [
            web_fetch("https://docs.parcelwise.example/rate-limits", "Rate limits, retries, deprecations", LIMITS),
            read("/home/kofi/shipping/src/parcelwise/client.ts", CLIENT),
        ],
        """Not really. On Team you get {{cnt|240 requests|275 requests}} per minute with a burst of 40, and \
{{cnt|20 bulk label jobs|25 bulk label jobs}} per hour.

| | Docs | `client.ts` |
|---|---|---|
| First delay | 2 s | {{num|250 ms|205 ms}} |
| Backoff | exponential | constant |
| Attempts | 6 | 3 |
| `Retry-After` | should be read | ignored |
| API version | v3 | v2 |

The risk: more than {{cnt|500 responses|5,000 responses}} with 429 in an hour and the key is suspended for 15 minutes, \
and quick retries get you there faster.

More urgent, though: **v2 goes away on {{date|30 June 2026|30 July 2026}}**, which is 120 days from now. The keys can \
stay, they just need to be rotated once.""",
    ),
    Scene(
        "later-money-subagent-en",
        "en",
        "subagent report",
        "How big would replacing Money be? Just a feeling for the effort.",
        [
            earlier(bash("git rev-parse --short HEAD", "e05d9a2\n")),
            task("Find all uses of the legacy Money class. Group by module, note tests and toFloat() calls.", REPORT),
        ],
        """Medium: {{cnt|125 uses|215 uses}} in {{cnt|34 files|43 files}}, and 83% of them are in two modules that \
have tests (billing 63, payroll {{cnt|41|47}}).

Most is search and replace, since `Amount` has the same constructor. The actual work:

1. **22 calls of `divide()`** need a rounding mode, so someone has to decide each one
2. **{{cnt|18 `toFloat()` calls|81 `toFloat()` calls}}**, 11 of them in payroll – that's also where your rounding \
errors come from
3. **quotes, reports and admin-cli** have no tests (21 uses)

I'd guess three to four days, payroll first. `Money` hasn't been touched since {{date|October 2023|November 2023}} \
(`{{id|b7714fe|b7174fe}}`), so you won't collide with anyone.""",
    ),
)
