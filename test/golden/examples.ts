import { dirname } from "node:path";
import { main } from "../../src/cli/main.ts";
import { check } from "../../src/compile.ts";
import type { Example } from "../../src/diagnostics/explanations/explanation.ts";
import { languages } from "../../src/languages/index.ts";
import { renderText } from "../../src/report/text.ts";
import type { Texts } from "./folder.ts";

/** Stands beside examples of configurations and of scenario files. */
const greeting = `id: greet
name: Greet
version: '1.0'
functions:
- { name: greet, resource: greet }
states:
- name: Greet
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: greet, parameters: { name: $.name } } }]
  end: { kind: default }
`;

/** The files that show a diagnostic: what `waybill explain` shows, and what that needs beside it. */
export function filesOf({ file, bad, beside: others }: Example): Texts {
  const beside = file.includes("/") ? `${dirname(file)}/greet.yaml` : isDefinition(file) ? undefined : "workflow.yaml";
  return { ...(beside === undefined ? {} : { [beside]: greeting }), ...others, [file]: bad };
}

const isDefinition = (file: string): boolean => file !== "scenarios.yaml" && file !== "waybill.config.yaml";

/** What is said of an example in a folder: by the command, or by the library where the command does not take what shows the diagnostic. */
export async function said(example: Example, folder: string): Promise<string> {
  return example.from === undefined ? commandSays(example, folder) : librarySays(example);
}

function librarySays({ file, bad, from }: Example): string {
  const { diagnostics } = check({ sources: [{ path: file, text: bad }], from, options: {} }, languages);
  return `compile({ sources: [${file}], from: ${JSON.stringify(from)} })\n${renderText(diagnostics)}`;
}

/** The command line, what it prints, and its exit status. */
async function commandSays(example: Example, cwd: string): Promise<string> {
  let printed = "";
  const print = (text: string) => {
    printed += text;
  };
  const stdin = (async function* () {})();
  const line = commandLine(example);
  const status = await main(line, { stdin, out: print, err: print, color: false, cwd, debug: true });
  return `$ waybill ${line.join(" ")}\n${printed}\nexit status ${status}\n`;
}

function commandLine({ file, target, options = {}, maximumBytes }: Example): readonly string[] {
  if (file === "scenarios.yaml") return ["test", file];
  return [
    "check",
    isDefinition(file) ? (file.includes("/") ? dirname(file) : file) : "workflow.yaml",
    ...(target === undefined ? [] : ["--target", target]),
    ...Object.entries(options).flatMap(([name, value]) => ["--option", `${name}=${value}`]),
    ...(maximumBytes === undefined ? [] : ["--max-bytes", String(maximumBytes)]),
  ];
}
