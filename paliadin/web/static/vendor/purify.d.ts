// Types only, for `npm run check`: the served file is purify.js beside this one.
export { default } from "dompurify";
