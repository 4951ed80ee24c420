/** A workflow with one call. */
export const definition = `id: greet
name: Greet
version: '1.0'
functions: [{ name: greet }]
states:
- name: Greet
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: greet, parameters: { name: $.name } } }]
  end: { kind: default }
`;

const bound = "functions: { greet: { typescript: { module: ./functions/greet.ts#greet } } }\n";

/**
 * A project whose function depends on a file next to it, one elsewhere, a text file, a package, and the runtime of its
 * own program, which is compiled to the given folder.
 */
export const greeting = (program: string) => ({
  "flows/greet.yaml": definition,
  "waybill.config.yaml": bound,
  "package.json": '{ "type": "module", "dependencies": { "greeter": "1.0.0" } }',
  "functions/greet.ts": `import { readFileSync } from "node:fs";
import { greeting } from "greeter";
import { WorkflowError } from "../${program}/runtime.js";
import { loud } from "../lib/loud text.ts";
import type { Name } from "./name.ts";

const mark = readFileSync(new URL("./mark.txt", import.meta.url), "utf8");

export function greet({ name }: { name: Name | null }) {
  if (name === null) throw new WorkflowError("NoName", "Who is it?");
  return { said: loud(greeting(name)) + mark };
}
`,
  "functions/name.ts": "export type Name = string;\n",
  "functions/mark.txt": "!",
  "functions/other.ts": "export const other = 1;\n",
  "lib/loud text.ts": "export const loud = (text: string): string => text.toUpperCase();\n",
  "secret.env": "TOKEN=x\n",
});
