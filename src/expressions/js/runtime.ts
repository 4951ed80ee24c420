import { expressionNames } from "../../generated/expression-names.js";
import { runtime } from "../../generated/runtime.js";

/** The source of functions of the runtime and their dependencies: each once, after its dependencies, in a deterministic order. */
export function runtimeText(names: Iterable<string>): string {
  const called = [...names].sort();
  const all = closureOf(called, true);
  const raises = called.includes("raise") || ["raiseLimit", "fail", "caught"].some((name) => all.has(name));
  let text = "";
  for (const name of raises ? closureOf(called, false) : all)
    text += `${name === "EvaluationError" && !raises ? failureOfTexts : runtime()[name]!.text}\n`;
  return text;
}

/** The same as declarations by name, without `EvaluationError`; reports whether that is needed. */
export function runtimeParts(names: Iterable<string>): {
  readonly texts: ReadonlyMap<string, string>;
  readonly fails: boolean;
} {
  const all = [...closureOf([...names].sort(), true)];
  const others = all.filter((name) => name !== "EvaluationError");
  return { texts: new Map(others.map((name) => [name, runtime()[name]!.text])), fails: others.length < all.length };
}

/** `EvaluationError` for programs that raise only strings: its value is the message. */
const failureOfTexts = `class EvaluationError extends Error {
  constructor(value) {
    const limit = Error.stackTraceLimit;
    Reflect.set(Error, "stackTraceLimit", 0);
    super(value);
    Reflect.set(Error, "stackTraceLimit", limit);
    this.name = "EvaluationError";
    this.value = value;
  }
}`;

function closureOf(names: readonly string[], failsWithTexts: boolean): ReadonlySet<string> {
  const [found, open] = [new Set<string>(), new Set<string>()];
  const add = (name: string): void => {
    if (open.has(name)) return;
    const entry = runtime()[name];
    if (!entry) throw new Error(`The runtime has no function ${name}.`);
    open.add(name);
    if (!failsWithTexts || name !== "EvaluationError") for (const other of entry.needs) add(other);
    found.add(name);
  };
  for (const name of names) add(name);
  return found;
}

/** The functions of the runtime that programs of TypeScript can import. */
export const runtimeNames: ReadonlySet<string> = new Set(expressionNames);
