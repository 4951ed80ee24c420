import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A definition of ten states that uses most of the language. */
export const ten = { path: "ten.yaml", text: readFileSync(join(import.meta.dirname, "ten.yaml"), "utf8") };

/** Returns a chain of states that call a function, branch or set data. */
export function definitionOf(count: number): string {
  const head = [
    "id: many",
    "name: Many",
    "version: '1.0'",
    "functions:",
    "- { name: work, resource: work }",
    "states:",
  ];
  return `${[...head, ...Array.from({ length: count }, (_, i) => stateOf(i, i === count - 1))].join("\n")}\n`;
}

function stateOf(i: number, isLast: boolean): string {
  const start = i === 0 ? "\n  start: { kind: default }" : "";
  const next = isLast ? "end: { kind: default }" : `transition: { nextState: State${i + 1} }`;
  if (isLast || i % 3 === 0) return `- name: State${i}\n  type: inject${start}\n  data: { step: ${i} }\n  ${next}`;
  if (i % 3 === 1) {
    const call = `functionRef: { refName: work, parameters: { step: $.step, item: $.items.a${i % 7} } }`;
    return `- name: State${i}\n  type: operation\n  actions:\n  - ${call}\n    actionDataFilter: { dataResultsPath: $.result }\n  ${next}`;
  }
  const condition = `- { path: $.result.code, value: '${i}', operator: equals, transition: { nextState: State${i + 1} } }`;
  return `- name: State${i}\n  type: switch\n  dataConditions:\n  ${condition}\n  default: { nextState: State${i + 1} }`;
}
