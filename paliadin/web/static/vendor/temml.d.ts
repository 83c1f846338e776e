// Types only, for `npm run check`: the served file is temml.js beside this one.
export { default } from "temml";
