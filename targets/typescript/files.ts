import { runtimeFiles } from "../../src/generated/typescript-runtime.js";
import { fileNames } from "../../src/output/names.ts";
import type { Program } from "../../src/program.ts";
import type { OutputFile } from "../target.ts";
import { expressionFiles } from "./emit/expressions.ts";
import { moduleOf } from "./emit/module.ts";
import { moduleText } from "./emit/text.ts";

/** All files of the program: its modules, and the runtime that they import. */
export function programFiles(program: Program): readonly OutputFile[] {
  const runtime = Object.entries(runtimeFiles).map(([path, text]) => ({ path: `runtime/${path}`, text }));
  return [...program.workflows.flatMap((workflow) => moduleFiles(workflow, program)), ...runtime];
}

/** The names of the program's modules without their endings, by the ids of their workflows. */
export function moduleNames({ workflows }: Program): ReadonlyMap<string, string> {
  const ids = workflows.map(({ id }) => id);
  const names = fileNames([...taken, ...ids]).slice(taken.length);
  return new Map(names.map((name, i) => [ids[i]!, name]));
}

/** The names of the program's other modules. */
const taken: readonly string[] = ["main", "functions", "runtime"];

/** The module of a workflow, with the functions that its expressions need beside it. */
function moduleFiles(workflow: Program["workflows"][number], program: Program): readonly OutputFile[] {
  const names = moduleNames(program);
  const name = names.get(workflow.id)!;
  const module = moduleOf(program, workflow, names);
  const text = moduleText(module, `${workflow.name}, from ${workflow.language}`);
  const expressions = expressionFiles(module);
  if (!expressions) return [{ path: `${name}.ts`, text }];
  return [
    { path: `${name}.ts`, text },
    { path: `${name}.expressions.js`, text: expressions.script },
    { path: `${name}.expressions.d.ts`, text: expressions.types },
  ];
}
