/** The languages that code can be coloured in, by the names that stand at a fence. Pure. */
const LANGUAGES = new Set(
  (
    "bash c cpp csharp css diff dockerfile go graphql ini java javascript json kotlin latex lua makefile " +
    "mermaid nginx perl php powershell python r ruby rust scala scss shell sql swift typescript vbnet xml yaml"
  ).split(" "),
);
/** @type {Record<string, string>} */
const ALIASES = {
  ...{
    "c++": "cpp",
    "c#": "csharp",
    cc: "cpp",
    cjs: "javascript",
    console: "shell",
    cs: "csharp",
    docker: "dockerfile",
  },
  ...{ golang: "go", gql: "graphql", h: "c", hpp: "cpp", htm: "xml", html: "xml", java: "java", js: "javascript" },
  ...{
    json5: "json",
    jsonc: "json",
    jsonl: "json",
    jsx: "javascript",
    kt: "kotlin",
    make: "makefile",
    mjs: "javascript",
  },
  ...{ mysql: "sql", patch: "diff", pgsql: "sql", pl: "perl", postgresql: "sql", ps1: "powershell", py: "python" },
  ...{ python3: "python", rb: "ruby", rs: "rust", sh: "bash", sqlite: "sql", svg: "xml", tex: "latex", toml: "ini" },
  ...{ ts: "typescript", tsx: "typescript", vb: "vbnet", vue: "xml", yml: "yaml", zsh: "bash" },
};

/**
 * @param {string} name as it stands at the fence
 * @returns {string|null} the language, if it can be coloured
 */
export function languageOf(name) {
  const lower = name.toLowerCase();
  const language = Object.hasOwn(ALIASES, lower) ? ALIASES[lower] : lower;
  return language && LANGUAGES.has(language) ? language : null;
}
