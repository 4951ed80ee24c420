import { type Block, isAtom, type JsExpression, js, type LiteralExpression, walkNodes } from "../../js-ast/index.ts";
import { effectsOf } from "../analysis/effects.ts";
import type { Outputs } from "../builtins/builtin.ts";
import type { Expression } from "../core/ast.ts";
import type { CopyState } from "../library/path-checks.ts";
import type { Scope } from "./scope.ts";
import type { TemporaryKind } from "./temporaries.ts";
import { wordOfCode } from "./words.ts";
import {
  callStatement,
  type Exit,
  type Frame,
  frameIn,
  fresh,
  helped,
  leave,
  type Site,
  type Writer,
} from "./writer.ts";

/** A value of the generated program, with its path if paths are tracked. */
export interface Place {
  /**
   * The value, to be evaluated once before anything else, or any number of times if it is an atom. With tracked paths
   * it is one.
   */
  readonly value: JsExpression;
  readonly path?: Route | undefined;
  /** The value at the path, an atom, where it may be another one than `value`: jq then fails when the path is to be used. */
  readonly at?: JsExpression | undefined;
  /** An atom: whether a string or number is a copy of its origin, or `undefined`. Absent: it surely is. */
  readonly copied?: JsExpression | undefined;
}

/** A path, as an array and keys to be added to it. */
export interface Route {
  /** The name of the array; undefined: the empty one. */
  readonly root: string | undefined;
  /** Atoms. */
  readonly keys: readonly JsExpression[];
  /** Whether the array may be undefined at run time: then no path is wanted. */
  readonly dynamic: boolean;
}

/** The path that begins here. */
export const emptyRoute: Route = { root: undefined, keys: [], dynamic: false };

/** A route with one more key. */
export const routeTo = (route: Route, key: JsExpression): Route => ({ ...route, keys: [...route.keys, key] });

/** A route stored in a variable. */
export const routeNamed = (root: string, { dynamic }: Route): Route => ({ root, keys: [], dynamic });

/** The array of a route: `p1.concat(["a", 0])`. */
export function routeCode({ root, keys, dynamic }: Route, writer: Writer): JsExpression {
  if (root !== undefined && keys.length === 0) return js.name(root);
  return routeWith(root, js.array(keys), dynamic, writer);
}

/** An array of keys behind those of another one. */
export function routeWith(
  root: string | undefined,
  keys: JsExpression,
  dynamic: boolean,
  writer: Writer,
): JsExpression {
  if (root === undefined) return keys;
  return dynamic ? helped(writer, "extended", js.name(root), keys) : js.method(js.name(root), "concat", [keys]);
}

/** Whether the value of a place surely is the one at its path. */
export function isAtPath({ value, at, copied }: Place): boolean {
  if (at === undefined) return true;
  if (value.kind === "identifier" && at.kind === "identifier") return value.name === at.name;
  if (value.kind !== "literal" || at.kind !== "literal") return false;
  return Object.is(value.value, at.value) && (copied === undefined || !isNew(value));
}

/** Whether a constant is a string or number, which is another value wherever it is written. */
const isNew = ({ value }: LiteralExpression): boolean => typeof value === "string" || typeof value === "number";

/** What makes statements of a value: exactly one of each of its outputs. */
export interface Sink {
  /** Whether its statements are few and always the same, so that they may be written twice. */
  readonly small: boolean;
  /** The function that it does nothing but call, and what it may leave to. */
  readonly callback?: { readonly name: string; readonly passes: Exit } | undefined;
  /** The function that its statements return from, with the value, where they are in that function. */
  readonly returnsFrom?: Frame | undefined;
  /** Whether that may also be undefined, for no output. */
  readonly mayReturnNothing?: boolean | undefined;
  write(place: Place, site: Site): Block;
}

/** Whether nothing happens after a sink's statements. */
export const returnsAt = ({ returnsFrom }: Sink, { frame }: Site): boolean => returnsFrom === frame;

/** A sink of any size. */
export const sinkOf = (write: Sink["write"]): Sink => ({ small: false, write });

/** A sink of few statements. */
export const smallSink = (write: (value: JsExpression, site: Site) => Block): Sink => ({
  small: true,
  write: ({ value }, site) => write(value, site),
});

/** A sink that wants to know nothing but the value. */
export const valueSink = (write: (value: JsExpression, site: Site) => Block): Sink =>
  sinkOf(({ value }, site) => write(value, site));

/** A sink that adds each value to a list: `r1.push(value);`. */
export const addTo = (list: string): Sink =>
  smallSink((value) => [js.expressionStatement(js.method(js.name(list), "push", [value]))]);

/** Statements that use a value several times, or later. */
export function bound(
  writer: Writer,
  value: JsExpression,
  use: (atom: JsExpression) => Block,
  kind: TemporaryKind = "value",
): Block {
  if (isAtom(value)) return use(value);
  const name = fresh(writer, kind, wordOfCode(value));
  return [js.constant(name, value), ...use(js.name(name))];
}

/** The place with a value that may be used several times. */
export function boundPlace(writer: Writer, place: Place, use: (place: Place) => Block): Block {
  return isAtom(place.value) ? use(place) : bound(writer, place.value, (value) => use({ ...place, value }));
}

/** Evaluates a value that is not used. */
export const dropped = (value: JsExpression): Block => (isAtom(value) ? [] : [js.expressionStatement(value)]);

/** A value computed with tracked paths: it keeps the path of the value that it was computed from. */
export function computedAt(place: Place, value: JsExpression, copied: JsExpression | CopyState): Place {
  const known = typeof copied === "object" ? copied : copied === undefined ? js.undefinedName : js.literal(copied);
  return { value, path: place.path, at: place.at ?? place.value, copied: known };
}

/** Whether the text or number at a place is the very one that it was made from. */
export const isCopied = ({ copied }: Place): JsExpression => copied ?? js.literal(true);

/** A statement that fails unless a value is still the one at its path. */
export function checked(
  writer: Writer,
  place: Place,
  name: "checkAccess" | "checkIteration" | "checkPathResult",
  ...more: readonly JsExpression[]
): Block {
  if (isAtPath(place) || !place.path) return [];
  const check = js.expressionStatement(helped(writer, name, place.value, place.at!, isCopied(place), ...more));
  if (!place.path.dynamic) return [check];
  return [js.ifStatement(js.binary(js.name(place.path.root!), "!==", js.undefinedName), [check])];
}

/**
 * Statements that use a sink in several places. A large sink becomes a function, so that a program is never longer than a
 * multiple of its expression.
 */
export function shared(scope: Scope, site: Site, sink: Sink, write: (sink: Sink) => Block): Block {
  if (sink.small) return write(sink);
  const { writer } = scope;
  const name = fresh(writer, "action");
  const { body, exits, parameters } = functionOf(scope, site, sink, scope.dot.path !== undefined);
  const call: Sink = {
    small: true,
    write: (place, at) =>
      callStatement(writer, js.call(name, argumentsOf(place, parameters.length > 1, writer)), exits, at),
  };
  return [js.constant(name, js.arrow(parameters, body)), ...write(call)];
}

/** A sink as a function of the program: of a value, or also of its path, the value at that, and whether it is a copy of that. */
export function functionOf(
  scope: Scope,
  site: Site,
  sink: Sink,
  tracks: boolean,
): { readonly body: Block; readonly exits: ReadonlySet<Exit>; readonly parameters: readonly string[] } {
  const frame = frameIn(site.frame);
  const slots = slotsOf(scope, tracks, true);
  const body = sink.write(slots.place, { frame, tail: true });
  return { body, exits: frame.exits, parameters: slots.names };
}

/** The arguments for such a function. */
export function argumentsOf(place: Place, tracks: boolean, writer: Writer): readonly JsExpression[] {
  if (!tracks) return [place.value];
  if (!place.path) return [place.value, js.undefinedName, js.literal(null), js.literal(true)];
  return [place.value, routeCode(place.path, writer), place.at ?? place.value, isCopied(place)];
}

/**
 * The variables for an output: its value, and if paths are tracked, its path, the value at that path, and whether it is
 * a copy of it.
 */
export interface Slots {
  readonly names: readonly string[];
  readonly place: Place;
  /** Sets them to an output. */
  readonly fill: Sink;
}

/** New variables for an output. */
export function slotsOf({ writer, dot }: Scope, tracks: boolean, isSure = false): Slots {
  const value = fresh(writer, isSure ? "value" : "optional");
  if (!tracks) {
    const fill: Sink = { small: true, write: (place) => [js.assign(value, place.value)] };
    return { names: [value], place: { value: js.name(value) }, fill };
  }
  const pathKind = dot.path && !dot.path.dynamic ? "path" : "optionalPath";
  const [path, at, copied] = [fresh(writer, pathKind), fresh(writer, "at"), fresh(writer, "copied")];
  const route = routeNamed(path, {
    ...(dot.path ?? { root: undefined, keys: [] }),
    dynamic: dot.path?.dynamic ?? true,
  });
  const fill: Sink = {
    small: true,
    write: (place) => [
      js.assign(value, place.value),
      js.assign(path, routeCode(place.path!, writer)),
      js.assign(at, place.at ?? place.value),
      js.assign(copied, isCopied(place)),
    ],
  };
  const place: Place = { value: js.name(value), path: route, at: js.name(at), copied: js.name(copied) };
  return { names: [value, path, at, copied], place, fill };
}

/** The declarations of variables without a value. */
export const declared = ({ names }: Slots): Block => names.map((name) => js.variable(name));

/** The statements of a sink for variables that are undefined without an output. */
export function ifPresent(slots: Slots, surely: boolean, site: Site, sink: Sink): Block {
  const written = sink.write(slots.place, site);
  return surely ? written : [js.ifStatement(isDefined(slots.place.value), written)];
}

/** The first output in variables, which stay undefined without one. */
export function firstInto(slots: Slots, exit: Exit): Sink {
  return { small: true, write: (place, site) => [...slots.fill.write(place, site), ...leave(exit, site)] };
}

/** `value !== undefined` */
export const isDefined = (value: JsExpression): JsExpression => js.binary(value, "!==", js.undefinedName);

/** Whether something has no more than one output. */
export const isSingle = (outputs: Outputs): boolean => outputs !== "many";

/** What is true where an expression gave something other than false and null. */
export const truthCode = (expression: Expression, code: JsExpression, writer: Writer): JsExpression =>
  effectsOf(expression).type === "boolean" ? code : truthOf(code, writer);

/** What is true where a value is neither false nor null. */
export const truthOf = (value: JsExpression, writer: Writer): JsExpression =>
  isBoolean(value) ? value : helped(writer, "isTrue", value);

/** Whether code gives a Boolean. */
function isBoolean(code: JsExpression): boolean {
  if (code.kind === "literal") return typeof code.value === "boolean";
  if (code.kind === "identifier") return /^flag[:#]/.test(code.name);
  if (code.kind === "unary") return code.operator === "!";
  if (code.kind !== "binary") return false;
  if (code.operator === "&&" || code.operator === "||") return isBoolean(code.left) && isBoolean(code.right);
  return ["===", "!==", "<", "<=", ">", ">="].includes(code.operator);
}

/** A function that may call itself: TypeScript cannot infer what it returns. */
export function recursiveFunction(parameters: readonly string[], body: Block): JsExpression {
  const isReturning = walkNodes(body).some(({ kind }) => kind === "return");
  return js.arrow(parameters, body, { returns: js.keyword(isReturning ? "unknown" : "void") });
}
