import { js, printProgram } from "../../code/index.ts";
import { expressionModules } from "../../generated/expression-modules.js";
import { runtimeFace, runtimeNames } from "./runtime.ts";

/** A module of the runtime that a program of TypeScript is given. */
export interface RuntimeModule {
  /** Where it is, below the folder that has the `json.ts` of the program. */
  readonly path: string;
  readonly text: string;
}

/** The modules of functions of the runtime and of all that they import, as they stand in our own source, and the one that exports these functions. */
export function runtimeModules(names: Iterable<string>): readonly RuntimeModule[] {
  const wanted = new Set(names);
  const faces = Object.entries(expressionModules)
    .map(([path, { exports }]) => ({ path, exports: exports.filter((name) => wanted.has(name)).sort() }))
    .filter(({ exports }) => exports.length > 0);
  for (const name of wanted) if (!runtimeNames.has(name)) throw new Error(`The runtime has no function ${name}.`);
  const exported = faces.map(({ path, exports }) =>
    js.exported(exports, path.startsWith(folder) ? `./${path.slice(folder.length)}` : `../${path}`),
  );
  const files = new Set<string>();
  const open = faces.map(({ path }) => path);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (files.has(path)) continue;
    files.add(path);
    open.push(...expressionModules[path]!.imports);
  }
  return [
    { path: runtimeFace, text: printProgram(exported, { types: true }) },
    ...[...files].sort().map((path) => ({ path, text: expressionModules[path]!.text })),
  ];
}

const folder = "expressions/";
