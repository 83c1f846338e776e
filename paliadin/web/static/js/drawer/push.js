/**
 * Makes the page narrower, so that the drawer stands beside it. The style sheet is constructed, so no
 * Content-Security-Policy blocks it.
 */

/** Pixels that a page keeps at least beside the drawer. */
export const PAGE_WIDTH = 480;

export function createPush() {
  const sheet = new CSSStyleSheet();
  const others = () => document.adoptedStyleSheets.filter((each) => each !== sheet);

  return {
    /**
     * @param {number} width of the drawer, in pixels; 0: the page is as it was
     */
    set(width) {
      // `width`: in a page with `html { width: 100% }` the margin would do nothing.
      sheet.replaceSync(
        `@media screen { :root { --paliadin-width: ${width}px; width: auto; margin-right: ${width}px; } }`,
      );
      document.adoptedStyleSheets = width ? [...others(), sheet] : others();
    },
  };
}
