import type { Expression, Segment } from "../../core/ast.ts";
import {
  binary,
  bind,
  call,
  collect,
  comma,
  conditional,
  identity,
  iterate,
  literal,
  pipe,
  query,
  variable,
} from "../../core/build.ts";
import { type Cursor, consume, fail, nested, peek, skipSpace } from "../cursor.ts";
import { isDefinite } from "./jsonpath.ts";
import { readIndex, readValue } from "./literals.ts";
import { type Dialect, readSegments } from "./segments.ts";

/** A function at the end of a path, as in json-path/JsonPath. */
export interface PathFunction {
  readonly from: number;
  /** The function of the nodes that `segments` select in a source; at most one output. */
  readonly apply: (nodes: PathNodes) => Expression;
}

/** The selection to which a function applies. */
export interface PathNodes {
  readonly path: (segments: readonly Segment[]) => Expression;
  readonly segments: readonly Segment[];
}

/** Whether paths have a function of this name. */
export const isPathFunction = (name: string): boolean => hints.has(name);

/** Reads the arguments of a function or element selection after its name. */
export function readMethod(
  cursor: Cursor,
  name: string,
  dialect: Dialect,
  before: readonly Segment[],
): Segment | PathFunction {
  const from = cursor.offset - name.length;
  if (!hints.has(name)) return rejectMethod(cursor, from, name);
  if (!isDefinite(before) && !aggregates.has(name) && !(selections.has(name) && before.some(({ descend }) => descend)))
    return fail(
      cursor,
      "unsupported",
      `\`${name}()\` is not supported after a path that can select several values.`,
      from,
      cursor.text.indexOf("(", cursor.offset) + 2,
    );
  cursor.offset += 1;
  const isTotal = !isDefinite(before);
  if (name === "index" || name === "first" || name === "last") return readSelection(cursor, name, from, isTotal);
  const args = nested(cursor, () => readArguments(cursor, name, dialect, from));
  const most = name === "concat" || name === "append" || numeric.has(name) ? maxArguments : 0;
  if (args.length > most || (name === "append" && args.length === 0)) return rejectMethod(cursor, from, name);
  return { from, apply: (nodes) => functionOf(name, nodes, args) };
}

const maxArguments = 100;

/** Those that apply to all the values of a path that can select several. */
const aggregates: ReadonlySet<string> = new Set(["length", "size", "min", "max", "avg", "sum", "stddev"]);
const numeric: ReadonlySet<string> = new Set(["min", "max", "avg", "sum", "stddev"]);
const selections: ReadonlySet<string> = new Set(["first", "last", "index"]);

/** Selects like `[0]`, `[-1]` or `[n]`; after `..`, one of all values. */
function readSelection(cursor: Cursor, name: string, from: number, isTotal: boolean): Segment | PathFunction {
  skipSpace(cursor);
  const index = name === "index" ? readIndex(cursor) : name === "first" ? 0 : -1;
  skipSpace(cursor);
  if (index === undefined || !consume(cursor, ")")) return rejectMethod(cursor, from, name);
  if (!isTotal) return elementSegment(index);
  const element = elementSegment(index);
  return { from, apply: ({ path, segments }) => query(collect(path(segments)), [element]) };
}

const elementSegment = (index: number): Segment => ({ descend: false, selectors: [{ kind: "index", index }] });

/** A value, or the nodes of a path. */
type Argument = { readonly kind: "value" | "nodes"; readonly expression: Expression };

function readArguments(cursor: Cursor, name: string, dialect: Dialect, from: number): readonly Argument[] {
  const args: Argument[] = [];
  skipSpace(cursor);
  if (consume(cursor, ")")) return args;
  do {
    skipSpace(cursor);
    args.push(readArgument(cursor, dialect) ?? rejectMethod(cursor, from, name));
    skipSpace(cursor);
  } while (consume(cursor, ","));
  return consume(cursor, ")") ? args : rejectMethod(cursor, from, name);
}

function readArgument(cursor: Cursor, dialect: Dialect): Argument | undefined {
  const value = readValue(cursor);
  if (value !== undefined) return { kind: "value", expression: literal(value) };
  const isCurrent = peek(cursor) === "@";
  if (!isCurrent && peek(cursor) !== "$") return undefined;
  cursor.offset += 1;
  const parsed = readSegments(cursor, dialect);
  const path = (segments: readonly Segment[]) => (isCurrent ? query(identity, segments) : dialect.root(segments));
  const { segments } = parsed;
  return { kind: "nodes", expression: parsed.applied?.apply({ path, segments }) ?? path(segments) };
}

function functionOf(name: string, nodes: PathNodes, args: readonly Argument[]): Expression {
  const { path, segments } = nodes;
  const node = path(segments);
  switch (name) {
    case "length":
    case "size":
      return call(isDefinite(segments) ? "nodeLength" : "nodeCount", node);
    case "keys":
      return pipe(node, conditional(isType("object"), call("keys_unsorted", identity), comma()));
    case "concat":
      return concatenation(comma(...stringsOf(nodes), ...args.map(({ expression }) => expression)));
    case "append":
      return pipe(node, conditional(isType("array"), appended(args), comma()));
    default:
      return aggregateOf(name, numbersOf(nodes, args));
  }
}

const isType = (name: string): Expression => binary("==", call("type", identity), literal(name));

const only = (type: string): Expression => conditional(isType(type), identity, comma());

/** Selects the elements of arrays only. */
const elementsOnly: Segment = { descend: false, selectors: [{ kind: "slice" }] };

const elementsOf = ({ path, segments }: PathNodes): Expression => path([...segments, elementsOnly]);

const stringsOf = (nodes: PathNodes): readonly Expression[] => [pipe(elementsOf(nodes), only("string"))];

const concatenation = (parts: Expression): Expression =>
  call("join", collect(pipe(parts, call("tostring", identity))), literal(""));

/** Arguments that select nothing append nothing. */
const appended = (args: readonly Argument[]): Expression =>
  binary("+", identity, collect(comma(...args.map(({ expression }) => expression))));

/** The numbers in an array, or of all values of a path that can select several, and those of the arguments. */
function numbersOf(nodes: PathNodes, args: readonly Argument[]): Expression {
  const own = isDefinite(nodes.segments) ? elementsOf(nodes) : nodes.path(nodes.segments);
  const given = args.flatMap(({ kind, expression }) =>
    kind === "nodes" ? [pipe(expression, query(identity, [elementsOnly])), expression] : [expression],
  );
  const all = given.length === 0 ? own : comma(own, ...given);
  return collect(pipe(all, only("number")));
}

/** Selects nothing if `numbers` is empty. */
function aggregateOf(name: string, numbers: Expression): Expression {
  const all = variable("numbers");
  const count = call("length", all);
  const isNone = binary("==", all, literal([]));
  const result = () => {
    switch (name) {
      case "avg":
        return binary("/", call("add", all), count);
      case "sum":
        return call("add", all);
      case "stddev":
        return deviationOf(all, count);
      default:
        return call(name, all);
    }
  };
  return bind("numbers", numbers, conditional(isNone, comma(), result()));
}

/** The population's standard deviation. */
function deviationOf(numbers: Expression, count: Expression): Expression {
  const mean = variable("mean");
  const difference = binary("-", identity, mean);
  const squares = collect(pipe(iterate(numbers), binary("*", difference, difference)));
  return bind("mean", binary("/", call("add", numbers), count), call("sqrt", binary("/", call("add", squares), count)));
}

function rejectMethod(cursor: Cursor, start: number, name: string): never {
  const shown = name.slice(0, 40);
  const hint = hints.get(name);
  return fail(
    cursor,
    "unsupported",
    hint === undefined ? `The function \`${shown}\` in paths is not supported.` : `Invalid call of \`${shown}\`.`,
    start,
    start + name.length,
    hint,
  );
}

const withoutArguments = (name: string): string => `It takes no arguments: \`${name}()\`.`;

const hints: ReadonlyMap<string, string> = new Map([
  ...["first", "last", "length", "size", "keys"].map((name) => [name, withoutArguments(name)] as const),
  ...[...numeric].map((name) => [name, `Its arguments are numbers or paths: \`${name}()\`.`] as const),
  ["index", "Its argument is an integer: `index(2)`."],
  ["concat", "Its arguments are strings, numbers or paths: `concat($.last, ', ')`."],
  ["append", "Its arguments are values or paths: `append(1)`."],
]);
