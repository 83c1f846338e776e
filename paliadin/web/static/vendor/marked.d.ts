// Types only, for `npm run check`: the served file is marked.js beside this one.
export * from "marked";
