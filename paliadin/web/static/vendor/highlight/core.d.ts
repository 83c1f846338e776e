// Types only, for `npm run check`.
declare const library: import("../highlight.js").Highlight;
export default library;
