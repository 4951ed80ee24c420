import { runtimeFiles } from "../../src/generated/typescript-runtime.js";
import type { Program } from "../../src/program.ts";
import type { OutputFile } from "../../src/target.ts";
import type { Span } from "../../src/text/source.ts";
import { bindingsOf, moduleNames } from "./bindings.ts";
import { expressionFiles } from "./emit/expressions.ts";
import { moduleOf } from "./emit/module.ts";
import { moduleText } from "./emit/text.ts";
import { projectFiles } from "./project/files.ts";

/** The module of a workflow, and what of it has no exact form. */
interface Made {
  readonly files: readonly OutputFile[];
  readonly refusals: readonly Refused[];
}

/** An expression that cannot be computed exactly, where it stands, and why. */
interface Refused {
  readonly span: Span;
  readonly reason: string;
}

const made = new WeakMap<Program, readonly Made[]>();

/** The modules of a program. What checking has made serves emitting too. */
function modulesOf(program: Program): readonly Made[] {
  const known = made.get(program) ?? program.workflows.map((workflow) => moduleFiles(workflow, program));
  made.set(program, known);
  return known;
}

/** The expressions of a program that cannot be computed exactly. */
export const refusedExpressions = (program: Program): readonly Refused[] =>
  modulesOf(program).flatMap(({ refusals }) => refusals);

/** All files of the program: its modules, and the runtime that they import. */
export function programFiles(program: Program): readonly OutputFile[] {
  const { emission } = bindingsOf(program);
  const modules = modulesOf(program).flatMap(({ files }) => files);
  const runtime = Object.entries(runtimeFiles).flatMap(([path, text]) =>
    isNeeded(path, emission.runtime) ? [{ path: `runtime/${path}`, text }] : [],
  );
  return [...modules, ...projectFiles(program, moduleNames(program), emission), ...runtime];
}

/** What calls functions by gRPC is left out where none is: it needs packages of its own. */
const isNeeded = (path: string, bound: readonly string[]): boolean =>
  path !== "functions/grpc.ts" || bound.includes("grpc.ts");

/** The module of a workflow, with the functions that its expressions need beside it. */
function moduleFiles(workflow: Program["workflows"][number], program: Program): Made {
  const names = moduleNames(program);
  const name = names.get(workflow.id)!;
  const module = moduleOf(program, workflow, names);
  const main = { path: `${name}.ts`, text: moduleText(module, `${workflow.name}, from ${workflow.language}`) };
  const expressions = expressionFiles(module);
  if (!expressions) return { files: [main], refusals: [] };
  const { script, types, refusals } = expressions;
  const beside = [
    { path: `${name}.expressions.js`, text: script },
    { path: `${name}.expressions.d.ts`, text: types },
  ];
  return {
    files: [main, ...beside],
    refusals: refusals.map(({ span, reason }) => ({ span: span ?? workflow.span, reason })),
  };
}
