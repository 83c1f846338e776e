/**
 * Makes the content of an element like that of another one, and keeps every node that is alike: a selection in it, its
 * focus and its scroll position stay.
 * @param {Element} el
 * @param {Element} wanted loses what is new
 */
export function patch(el, wanted) {
  const old = [...el.childNodes];
  const next = [...wanted.childNodes];
  next.forEach((node, i) => {
    const now = old[i];
    if (!now) el.append(node);
    else if (!now.isEqualNode(node)) change(now, node);
  });
  old.slice(next.length).forEach((node) => node.remove());
}

/**
 * @param {ChildNode} now
 * @param {ChildNode} wanted
 */
function change(now, wanted) {
  if (now instanceof Text && wanted instanceof Text) {
    // Text that is replaced leaves the selection; text that is added does not.
    if (wanted.data.startsWith(now.data)) now.appendData(wanted.data.slice(now.data.length));
    else now.data = wanted.data;
  } else if (now instanceof Element && wanted instanceof Element && now.nodeName === wanted.nodeName) {
    if (now instanceof HTMLButtonElement) return; // it acts on what stands beside it, and that has stayed
    if (!(now instanceof HTMLElement)) return now.replaceWith(wanted); // a policy lets no script set a style of text
    for (const { name, value } of wanted.attributes)
      if (now.getAttribute(name) !== value) now.setAttribute(name, value);
    for (const { name } of [...now.attributes])
      if (!wanted.hasAttribute(name) && name !== "open") now.removeAttribute(name); // the reader unfolds it
    patch(now, wanted);
  } else now.replaceWith(wanted);
}
