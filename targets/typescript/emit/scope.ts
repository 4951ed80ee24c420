import { type Item, innerBlocks, outerReads, structured, websOf } from "../../../src/flow/index.ts";
import type { Scope } from "../../../src/ir/workflow.ts";
import { quoted } from "../expressions/literal.ts";
import { writeBlock } from "./blocks.ts";
import { constantsOf } from "./declare.ts";
import { objectText } from "./effects.ts";
import type { Module } from "./module.ts";
import { camelCase } from "./names.ts";
import type { Place } from "./place.ts";
import { declareParameters, declareVariables } from "./variables.ts";

/** A scope that becomes a function of the module. */
export interface Body {
  readonly scope: Scope;
  /** Variables that are given to it, before those that it reads from outside. */
  readonly given: readonly string[];
  /** Begins the ids of its steps. */
  readonly prefix: string;
  /** What its name is made of, and another way if that is taken. */
  readonly wanted: readonly [string, string];
  readonly doc: string;
}

/** How a function of the module is called. */
export interface Call {
  readonly name: string;
  /** The variables of the outer scope that it takes, after the flow, the functions and what is given. */
  readonly parameters: readonly string[];
  readonly usesFunctions: boolean;
}

/** Writes a scope as a function of the module. */
export function writeFunction({ scope, given, prefix, wanted, doc }: Body, module: Module): Call {
  const name = module.names.fresh(camelCase(wanted[0]), camelCase(wanted[1]));
  const parameters = [...outerReads(scope)].filter((variable) => !given.includes(variable)).sort();
  const { lines, texts } = writeScope(scope, { given, outer: parameters, prefix, isOutermost: false }, module);
  const usesFunctions = callsFunctions(lines);
  const signature = ["flow: Flow", ...(usesFunctions ? ["fn: Functions"] : []), ...texts].join(", ");
  module.sections.push({ name, doc, text: [`async (${signature}): Promise<Json> => {`, ...lines, "}"].join("\n") });
  return { name, parameters, usesFunctions };
}

/** The lines of a function, and its parameters with their types. */
export function writeScope(
  scope: Scope,
  {
    given,
    outer,
    ...own
  }: Pick<Body, "given" | "prefix"> & { readonly outer: readonly string[]; readonly isOutermost: boolean },
  module: Module,
): { readonly lines: readonly string[]; readonly texts: readonly string[] } {
  const webs = websOf(scope);
  const block = structured(scope);
  const common = {
    module,
    webs,
    names: module.names.inner(),
    constants: constantsOf(block, webs),
    variables: new Map(),
    ...own,
  };
  const place: Place = { ...common, parameters: declareParameters(scope, given, outer, common) };
  const declarations = declareVariables(scope, place);
  const aims = block.some(hasAim) ? ["let aim: string;"] : [];
  const written = writeBlock(block, place);
  const used = namesIn(written);
  const needed = declarations.filter(({ name }) => used.has(name)).map(({ text }) => text);
  const lines = [...windowLines(scope, place), ...needed, ...aims, ...written];
  return { lines, texts: [...place.parameters.values()].map(({ name, type }) => `${name}: ${type}`) };
}

/** The names in lines, but for those of members. */
function namesIn(lines: readonly string[]): ReadonlySet<string> {
  const code = lines
    .filter((line) => !line.startsWith("// "))
    .join("\n")
    .replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return new Set(code.match(/(?<![\w$])(?<!(?<!\.\.)\.)[\w$]+(?![\w$:])/g));
}

/** Whether lines use the functions that the workflow calls. */
export const callsFunctions = (lines: readonly string[]): boolean =>
  lines.some((line) => /(?<![\w$.])fn[.[,)]/.test(line));

/** Outside its window a scope ends at once, with the document. */
function windowLines({ window }: Scope, place: Place): readonly string[] {
  if (!window || place.isOutermost) return [];
  const { from, until } = window;
  const text = objectText({
    ...(from === undefined ? {} : { from: quoted(from) }),
    ...(until === undefined ? {} : { until: quoted(until) }),
  });
  const document = place.parameters.get(place.module.workflow.input)?.name ?? "null";
  return [`if (!(await flow.isWithin("window", ${text}))) return ${document};`];
}

/** Whether a place in a block notes where a branch by aim goes. */
function hasAim(item: Item): boolean {
  return item.kind === "aim" || innerBlocks(item).some((block) => block.some(hasAim));
}
