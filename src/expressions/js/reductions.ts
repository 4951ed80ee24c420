import { type Block, type JsExpression as Code, js } from "../../js-ast/index.ts";
import { outputs } from "../analysis/effects.ts";
import type { ArrayConstruction, Call, Expression } from "../core/ast.ts";
import { identity } from "../core/build.ts";
import { childrenOf } from "../core/walk.ts";
import { emit } from "./emit.ts";
import { bound, type Sink, smallSink, valueSink } from "./place.ts";
import { type Scope, withDot } from "./scope.ts";
import { fresh, helperNamed, notLast, type Site } from "./writer.ts";

/** The class of the runtime for each function that reduces an array, and the name of its object. */
const reducers = [
  { name: "add", class: "Sum", local: "total" },
  { name: "max", class: "Maximum", local: "largest" },
  { name: "min", class: "Minimum", local: "smallest" },
] as const;

const reducing: ReadonlySet<string> = new Set([...reducers.map(({ name }) => name), "length"]);

/** An array that is only reduced, so that a loop can do without it: `[E] | add / length` */
export interface Reduction {
  readonly array: ArrayConstruction;
  /** The functions of the array. */
  readonly functions: ReadonlySet<string>;
  /** The expression that calls them with `.`. */
  readonly body: Expression;
}

/** The reduction of `left | right`. */
export function reductionOf(left: Expression, right: Expression): Reduction | undefined {
  if (left.kind !== "array" || !left.items || outputs(left.items) !== "many") return undefined;
  const functions = new Set<string>();
  const isReduced = reducesInput(right, functions) && reducers.some(({ name }) => functions.has(name));
  return isReduced ? { array: left, functions, body: right } : undefined;
}

/** The reduction of a call of a function with an array: `add([E])` */
export function reductionOfCall({ name, args, isLocal }: Call): Reduction | undefined {
  const [array, ...others] = args;
  if (!array || others.length > 0 || isLocal || !reducing.has(name)) return undefined;
  return reductionOf(array, { kind: "call", name, args: [identity] });
}

/** Collects the functions that reduce `.`; false if it is used in another way. */
function reducesInput(expression: Expression, functions: Set<string>): boolean {
  if (expression.kind === "identity" || expression.kind === "dialect") return false;
  if (expression.kind === "call") {
    const { name, args, isLocal } = expression;
    if (isLocal || name === "path") return false;
    if (args.length === 1 && args[0]!.kind === "identity" && reducing.has(name)) {
      functions.add(name);
      return true;
    }
  }
  return childrenOf(expression).every((child) => child.rebindsInput || reducesInput(child.expression, functions));
}

/** `const total = new Sum(); for (…) total.add(value);`, and what is done with `total.result()` */
export function emitReduction({ array, functions, body }: Reduction, scope: Scope, site: Site, sink: Sink): Block {
  const { writer } = scope;
  const used = reducers.filter(({ name }) => functions.has(name));
  const objects = used.map(({ local }) => js.name(fresh(writer, "reduction", local)));
  const results = new Map<string, Code>(used.map(({ name }, i) => [name, js.method(objects[i]!, "result", [])]));
  results.set("length", js.member(objects[0]!, "count"));
  writer.reductions.set(objects[0]!.name, results);
  const addTo = (value: Code): Block =>
    objects.map((object) => js.expressionStatement(js.method(object, "add", [value])));
  const each = objects.length === 1 ? smallSink(addTo) : valueSink((value) => bound(writer, value, addTo));
  return [
    ...objects.map((object, i) => js.constant(object.name, js.newExpression(helperNamed(writer, used[i]!.class)))),
    ...emit(array.items!, scope, notLast(site), each),
    ...emit(body, withDot(scope, { value: objects[0]! }), site, sink),
  ];
}
