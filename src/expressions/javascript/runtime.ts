import { js, printProgram } from "../../code/index.ts";
import { expressionModules } from "../../generated/expression-modules.js";
import { runtime } from "../../generated/runtime.js";

/** A module of the runtime that a program of TypeScript is given. */
export interface RuntimeModule {
  /** Where it is, below the folder that has the `json.ts` of the program. */
  readonly path: string;
  readonly text: string;
}

/** The functions of the runtime that programs of TypeScript can import. */
export const runtimeNames: ReadonlySet<string> = new Set(
  Object.values(expressionModules).flatMap(({ exports }) => exports),
);

/** The module that exports them. */
export const runtimeFace = "expressions/index.ts";

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

/** The text of functions of the runtime and of all that they need: each once, behind what it needs, in an order that depends on nothing else. */
export function runtimeText(names: Iterable<string>): string {
  const called = [...names].sort();
  const all = closureOf(called, false);
  const failsWithTexts = !called.includes("raise") && !["raiseLimit", "fail", "caught"].some((name) => all.has(name));
  const text = (name: string) => (failsWithTexts && name === "EvaluationError" ? failureOfTexts : runtime[name]!.text);
  return [...closureOf(called, failsWithTexts)].map((name) => `${text(name)}\n`).join("");
}

/** `EvaluationError`, where all that is ever raised is a text: then it is the message as it is. */
const failureOfTexts = `class EvaluationError extends Error {
  constructor(value) {
    super(value);
    this.name = "EvaluationError";
    this.value = value;
  }
}`;

function closureOf(names: readonly string[], failsWithTexts: boolean): ReadonlySet<string> {
  const [found, open] = [new Set<string>(), new Set<string>()];
  const add = (name: string): void => {
    if (open.has(name)) return;
    const entry = runtime[name];
    if (!entry) throw new Error(`The runtime has no function ${name}.`);
    open.add(name);
    if (!failsWithTexts || name !== "EvaluationError") for (const other of entry.needs) add(other);
    found.add(name);
  };
  for (const name of names) add(name);
  return found;
}
