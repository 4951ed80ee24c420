import { noConfiguration } from "../../src/configuration/index.ts";
import { fileNames } from "../../src/output/names.ts";
import type { Program } from "../../src/program.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";
import { type Emission, emitFunctions, requestFor } from "./bindings/index.ts";

/** The implementation of a program's functions, and what is to be said of it. */
export interface Bindings {
  readonly emission: Emission;
  readonly findings: readonly Diagnostic[];
}

const known = new WeakMap<Program, Bindings>();

/** How the functions of a program are implemented. What checking has found serves emitting too. */
export function bindingsOf(program: Program): Bindings {
  const before = known.get(program);
  if (before) return before;
  const findings: Diagnostic[] = [];
  const request = requestFor(program, moduleNames(program), program.configuration ?? noConfiguration, program.read);
  const bindings = { emission: emitFunctions(request, (found) => findings.push(found)), findings };
  known.set(program, bindings);
  return bindings;
}

/** The names of the program's modules without their endings, by the ids of their workflows. */
export function moduleNames({ workflows }: Program): ReadonlyMap<string, string> {
  const ids = workflows.map(({ id }) => id);
  const names = fileNames([...taken, ...ids]).slice(taken.length);
  return new Map(names.map((name, i) => [ids[i]!, name]));
}

/** The names of the program's other modules. */
const taken: readonly string[] = ["main", "functions", "runtime"];
