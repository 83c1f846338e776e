/**
 * The words and signs of Mermaid diagrams, for highlight.js: no library that draws them is small enough to be loaded.
 * @returns {object} a grammar
 */
export default function mermaid() {
  return {
    name: "Mermaid",
    keywords: {
      $pattern: /[A-Za-z][\w-]*/,
      keyword:
        "graph flowchart sequenceDiagram classDiagram stateDiagram stateDiagram-v2 erDiagram gantt pie journey " +
        "mindmap timeline gitGraph subgraph end participant actor activate deactivate note loop alt else opt par and " +
        "rect state class section title direction style classDef click link over of left right as",
      literal: "TB TD BT RL LR",
    },
    contains: [
      { scope: "comment", begin: /%%/, end: /$/ },
      { scope: "string", begin: /"/, end: /"/ },
      { scope: "string", begin: /\|/, end: /\|/ },
      { scope: "operator", begin: /[<ox]?(?:--+|==+|-\.+-?)(?:>>|[>ox)])?|->>?|\.\.>|<\|--/ },
      { scope: "number", begin: /\b\d+(?:\.\d+)?\b/ },
    ],
  };
}
