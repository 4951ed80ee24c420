import { runtimeFiles } from "../../src/generated/typescript-runtime.js";
import type { Program } from "../../src/program.ts";
import type { OutputFile } from "../target.ts";
import { bindingsOf, moduleNames } from "./bindings.ts";
import { expressionFiles } from "./emit/expressions.ts";
import { moduleOf } from "./emit/module.ts";
import { moduleText } from "./emit/text.ts";
import { projectFiles } from "./project/files.ts";

/** All files of the program: its modules, and the runtime that they import. */
export function programFiles(program: Program): readonly OutputFile[] {
  const { emission } = bindingsOf(program);
  const modules = program.workflows.flatMap((workflow) => moduleFiles(workflow, program));
  const runtime = Object.entries(runtimeFiles).flatMap(([path, text]) =>
    isNeeded(path, emission.runtime) ? [{ path: `runtime/${path}`, text }] : [],
  );
  return [...modules, ...projectFiles(program, moduleNames(program), emission), ...runtime];
}

/** What calls functions by gRPC is left out where none is: it needs packages of its own. */
const isNeeded = (path: string, bound: readonly string[]): boolean => path !== "functions/grpc.ts" || bound.includes("grpc.ts");

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
