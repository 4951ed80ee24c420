import { isObject, type Json } from "../../json.ts";
import { EvaluationError } from "../evaluate/failure.ts";
import { lastOf, limited, numbersBetween, skipped } from "../evaluate/streams.ts";
import { library, listFunctions } from "../library/registry.ts";
import { isTrue, type TypeName, typeOf } from "../library/types.ts";
import { compareInCondition, comparesNodes, switchCondition } from "./dialect/conditions.ts";
import { differenceJson, mergeJson, mergeResultJson, placeJson, text } from "./dialect/data.ts";
import { lengthOfNode, matchesNode, valueOfNodes } from "./dialect/nodes.ts";

/** A function of the core: how a call of it is evaluated, and what is known of its outputs without evaluating it. */
export type Builtin = ValueFunction | StreamFunction;

/** A function of values: called once for each combination of its arguments' outputs, the first argument varying slowest; one result each. */
export interface ValueFunction {
  readonly kind: "value";
  readonly arity: number;
  /** The type of every result, if it is always the same. */
  readonly returns?: TypeName | undefined;
  /** Whether a call can fail although its arguments do not. */
  readonly fails: boolean;
  apply(...values: readonly Json[]): Json;
}

/** A function of expressions: it decides how much of each argument is evaluated. */
export interface StreamFunction {
  readonly kind: "stream";
  readonly arity: number;
  readonly returns?: TypeName | undefined;
  /** How many outputs a call has. */
  readonly outputs: "one" | "optional" | "many";
  apply(...closures: readonly Closure[]): Iterable<Json>;
}

/** An argument to be evaluated on demand, from the beginning each time. */
export type Closure = () => Iterable<Json>;

/** The function of that name and number of arguments. */
export const builtinOf = (name: string, arity: number): Builtin | undefined => builtins.get(`${name}/${arity}`);

/** `last(E)`: the last output of E, or nothing. */
export const last = (outputs: Closure): readonly Json[] => lastOf(outputs());

/** `limit(n; E)`: the first n outputs of E; the rest is not evaluated. */
export function* limit(counts: Closure, outputs: Closure): Generator<Json> {
  for (const count of counts()) yield* limited(count, outputs);
}

/** `skip(n; E)`: the outputs of E but for the first n. */
export function* skip(counts: Closure, outputs: Closure): Generator<Json> {
  for (const count of counts()) yield* skipped(count, outputs);
}

/** `range(from; upTo; by)`: numbers from one on as long as they are before the other. */
export function* range(starts: Closure, ends: Closure, steps: Closure): Generator<Json> {
  for (const start of starts())
    for (const end of ends()) for (const step of steps()) yield* numbersBetween(start, end, step);
}

/** `not(x)`: whether x is false or null. */
export const not = (value: Json): boolean => !isTrue(value);

/** `error(x)`: fails with x. */
export function error(value: Json): never {
  throw new EvaluationError(value);
}

/** `first(E)`: the first output of E, or nothing; the rest is not evaluated. */
export function first(outputs: Closure): readonly Json[] {
  for (const value of outputs()) return [value];
  return [];
}

/** `exists(E)`: whether E yields anything. */
export const exists = (outputs: Closure): boolean => first(outputs).length > 0;

/** `truthy(E)`: whether some output of E is neither false nor null. */
export function truthy(outputs: Closure): boolean {
  for (const value of outputs()) if (isTrue(value)) return true;
  return false;
}

/** `isEmpty(E)`: whether E yields nothing, or first null, "", [] or {}. */
export function isEmpty(outputs: Closure): boolean {
  const [value = null] = first(outputs);
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

/** `attribute(E, name)`: of each CloudEvent that E yields the context attribute of that name, compared without regard to case; never its `data`. */
export function* attribute(events: Closure, name: Closure): Generator<Json> {
  for (const event of events()) {
    for (const wanted of name()) {
      const folded = text(wanted).toLowerCase();
      const key =
        isObject(event) && folded !== "data"
          ? Object.keys(event).find((key) => key.toLowerCase() === folded)
          : undefined;
      if (key !== undefined && isObject(event)) yield event[key]!;
    }
  }
}

/** All functions of the core, by `name/arity`. */
export const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ...[...library].map(([signature, { apply, returns, fails, ignoresInput }]) => {
    const [name, count] = signature.split("/");
    const arity = Number(count) - (ignoresInput ? 1 : 0);
    return [`${name}/${arity}`, { kind: "value", arity, returns, fails, apply }] as const;
  }),
  ["tostream/1", list("tostream/1")],
  ["combinations/1", list("combinations/1")],
  ["not/1", value(1, not, "boolean")],
  ["type/1", value(1, typeOf, "string")],
  ["text/1", value(1, text, "string")],
  ["merge/2", failing(2, mergeJson)],
  ["mergeResult/3", failing(3, mergeResultJson)],
  ["place/3", failing(3, placeJson)],
  ["difference/2", value(2, differenceJson)],
  ["switchCondition/3", failing(3, switchCondition, "boolean")],
  ["error/1", failing(1, error)],
  ["first/1", { kind: "stream", arity: 1, outputs: "optional", apply: first }],
  ["exists/1", condition(1, exists)],
  ["truthy/1", condition(1, truthy)],
  ["isEmpty/1", condition(1, isEmpty)],
  [
    "compareInCondition/3",
    condition(3, (left, operator, right) => compareInCondition([...left()], first(operator)[0]!, [...right()])),
  ],
  [
    "comparesNodes/3",
    condition(3, (left, operator, right) => comparesNodes(first(left), first(operator)[0]!, first(right))),
  ],
  ["last/1", { kind: "stream", arity: 1, outputs: "optional", apply: last }],
  ["nodeLength/1", optional("number", (nodes) => lengthOfNode(first(nodes)[0]))],
  [
    "nodeCount/1",
    { kind: "stream", arity: 1, returns: "number", outputs: "one", apply: (nodes) => [[...nodes()].length] },
  ],
  ["nodeValue/1", optional(undefined, (nodes) => valueOfNodes([...nodes()]))],
  ["nodeMatches/2", condition(2, (node, pattern) => matchesNode(first(node)[0], first(pattern)[0], true))],
  ["nodeSearches/2", condition(2, (node, pattern) => matchesNode(first(node)[0], first(pattern)[0], false))],
  ["limit/2", stream(limit)],
  ["skip/2", stream(skip)],
  ["range/3", { kind: "stream", arity: 3, returns: "number", outputs: "many", apply: range }],
  ["infinite/0", value(0, () => Number.POSITIVE_INFINITY, "number")],
  ["nan/0", value(0, () => Number.NaN, "number")],
  ["attribute/2", { kind: "stream", arity: 2, outputs: "many", apply: attribute }],
]);

function list(signature: string): Builtin {
  return { kind: "value", arity: 1, returns: "array", fails: true, apply: listFunctions.get(signature)!.apply };
}

function stream(apply: StreamFunction["apply"]): Builtin {
  return { kind: "stream", arity: apply.length, outputs: "many", apply };
}

function optional(returns: TypeName | undefined, apply: (argument: Closure) => Json | undefined): Builtin {
  return {
    kind: "stream",
    arity: 1,
    returns,
    outputs: "optional",
    apply: (argument) => {
      const value = apply(argument!);
      return value === undefined ? [] : [value];
    },
  };
}

function value<Args extends readonly Json[]>(
  arity: number,
  apply: (...values: Args) => Json,
  returns?: TypeName,
): Builtin {
  return { kind: "value", arity, returns, fails: false, apply: apply as unknown as ValueFunction["apply"] };
}

function failing<Args extends readonly Json[]>(
  arity: number,
  apply: (...values: Args) => Json,
  returns?: TypeName,
): Builtin {
  return { kind: "value", arity, returns, fails: true, apply: apply as unknown as ValueFunction["apply"] };
}

function condition(arity: number, holds: (...closures: [Closure, Closure, Closure]) => boolean): Builtin {
  return {
    kind: "stream",
    arity,
    returns: "boolean",
    outputs: "one",
    apply: (...closures) => [holds(...(closures as [Closure, Closure, Closure]))],
  };
}
