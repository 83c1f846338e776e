// Types only, for `npm run check`, of what the page uses of highlight/core.js.
export interface Highlight {
  registerLanguage(name: string, grammar: unknown): void;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
}
