/** The daemon's own address, from which this file came, whatever stands before the files' folder in it. */
export const ROOT = new URL(import.meta.url.replace(/paliadin\/static\/.*$/, ""));
