import {
  type Access,
  canFail,
  type Expression,
  type Iterate,
  outputs,
  type Query,
  type Recurse,
  type Segment,
  type Selector,
  type Slice,
} from "../../../src/expressions/index.ts";
import { assertNever, type Json } from "../../../src/json.ts";
import { alternatives, any, elementOf, memberOf, type Shape } from "../../../src/types/index.ts";
import {
  after,
  apply,
  type Code,
  choice,
  code,
  constantCode,
  equal,
  isAtom,
  isName,
  isPath,
  lambda,
  nameText,
  operand,
  type Path,
  pathCode,
  precedence,
  referenceCode,
  stringText,
  whole,
} from "./code.ts";
import {
  fresh,
  help,
  isAlways,
  type Mode,
  mayBe,
  named,
  type Printer,
  refuse,
  shapeIn,
  typeIn,
  type Use,
  withDot,
} from "./context.ts";
import { catching, collect, eachBox, eachSound, isFailure, joined, sound, whenPresent } from "./outputs.ts";
import { eachOutput, firstOutput, operands } from "./printer.ts";

/**
 * `T[K]`: `.a` → `$memberOf($states.input, "a")`, or `$states.input.a` where that surely is there; `.a.b` →
 * `$memberAt($states.input, ["a", "b"])`.
 */
export function eachAccess(expression: Access, printer: Printer, mode: Mode, use: Use): Code {
  if (expression.optional) {
    const parts = [expression.key, expression.source];
    return operands(parts, printer, mode, ([key, from]) =>
      eachTaken(taken(from!, expression.key, key!, catching(printer)), printer, mode, use),
    );
  }
  const names = namesOf(expression);
  if (names.path.length > 1) {
    const path = code(`[${names.path.map(stringText).join(", ")}]`);
    const shape = shapeIn(names.source, printer);
    return eachOutput(names.source, printer, mode, (from) => {
      const known = memberText(from, names.path, shape, printer);
      return known ? use(known) : sound(help(printer, "memberAt", from, path), printer, mode, use);
    });
  }
  return operands([expression.key, expression.source], printer, mode, ([key, from]) =>
    sound(taken(from!, expression.key, key!, printer, shapeIn(expression.source, printer)), printer, mode, use),
  );
}

/** The names at the end of an access, one inside of the other, and what they are taken of. */
function namesOf(expression: Expression): { readonly source: Expression; readonly path: readonly string[] } {
  const name = expression.kind === "access" && !expression.optional ? nameOf(expression.key) : undefined;
  if (expression.kind !== "access" || name === undefined) return { source: expression, path: [] };
  const { source, path } = namesOf(expression.source);
  return { source, path: [...path, name] };
}

/** A plain name that is written out. */
function nameOf(key: Expression): string | undefined {
  const name = key.kind === "literal" ? key.value : undefined;
  return typeof name === "string" && isPlainName(name) ? name : undefined;
}

/** Whether a name is one that JSONata does not find where it is not, and that a message shows as it is. */
export const isPlainName = (name: string): boolean => /^[ !#-[\]-~]{0,27}$/.test(name) && !isInherited(name);

/**
 * What is under a key in a value of a shape; may fail: `$memberOf($x, "name")`, or `$x.name` where there surely is one.
 */
export function taken(from: Code, key: Expression, text: Code, printer: Printer, shape: Shape = any): Code {
  const name = nameOf(key);
  if (name !== undefined) return memberText(from, [name], shape, printer) ?? help(printer, "memberOf", from, text);
  const index = key.kind === "literal" && typeof key.value === "number" ? key.value : undefined;
  return Number.isSafeInteger(index) && Math.abs(index!) < 1e15
    ? help(printer, "itemAt", from, text)
    : help(printer, "valueAt", from, text);
}

/**
 * What is at a path of names in a value, where it is known that there are objects on the way, or nulls; null where it
 * is missing.
 */
export function memberText(from: Code, path: readonly string[], shape: Shape, printer: Printer): Code | undefined {
  const names = path.map(written);
  if (names.length > longestWritten || names.some((name) => name === undefined)) return undefined;
  if (isAtom(from) && !isReference(from)) return undefined;
  let [found, isSure] = [shape, true];
  for (const name of path) {
    if (!alternatives(found).every(({ kind }) => kind === "object" || kind === "null")) return undefined;
    const member = memberOf(found, name);
    isSure &&= member.presence === "always";
    found = member.shape;
  }
  return named(from, printer, "value", ({ text }) => {
    const member = (path.every(isName) ? referenceCode : code)([text, ...names].join("."));
    return isSure ? member : choice(apply("exists", member), member, constantCode("null"));
  });
}

/** The use of a result unless it is a failure. */
function eachTaken(result: Code, printer: Printer, mode: Mode, use: Use): Code {
  return named(result, printer, "found", (found) => choice(isFailure(found), mode.none, use(found)));
}

const end: Expression = { kind: "literal", value: null };

/** `T[F:U]`: `.[1:3]` → `$partOf($states.input, 1, 3)`. */
export function eachSlice(
  { source, from = end, upTo = end, optional }: Slice,
  printer: Printer,
  mode: Mode,
  use: Use,
): Code {
  return operands([from, upTo, source], printer, mode, ([low, high, whole]) => {
    const part = (inner: Printer) =>
      elementsText(source, whole!, [from, upTo], inner) ?? help(inner, "partOf", whole!, low!, high!);
    return optional ? eachTaken(part(catching(printer)), printer, mode, use) : sound(part(printer), printer, mode, use);
  });
}

/** So many elements of what is known to be a list: `.[:2]` → `$unbox($sliceOf($states.input, 0, 2, 1))`. */
function elementsText(
  source: Expression,
  list: Code,
  bounds: readonly [Expression, Expression],
  printer: Printer,
): Code | undefined {
  const [from, upTo] = bounds.map((bound) => (bound.kind === "literal" ? bound.value : undefined));
  const isPlace = (bound: Json | undefined): boolean => bound === null || Number.isSafeInteger(bound);
  if (!isAlways(shapeIn(source, printer), "array") || !isPlace(from) || !isPlace(upTo)) return undefined;
  const texts = [from ?? 0, upTo!, 1].map((bound) => constantCode(String(bound)));
  return help(printer, "unbox", help(printer, "sliceOf", list, ...texts));
}

/**
 * `T[]`: `.[]` → the values in the boxes of `$itemsOf($states.input)`; `.[]?` → in those of
 * `$childrenOf($states.input)`.
 */
export function eachIterate({ source, optional }: Iterate, printer: Printer, mode: Mode, use: Use): Code {
  const isSure =
    optional || alternatives(shapeIn(source, printer)).every(({ kind }) => ["array", "object"].includes(kind));
  return eachOutput(source, printer, mode, (from) =>
    isSure
      ? eachBox(help(printer, "childrenOf", from), mode, printer, use)
      : eachSound(help(printer, "itemsOf", from), printer, mode, use),
  );
}

/** Whether something is `.[]?`, or `.[]`. */
const isIteration = (expression: Expression): expression is Iterate =>
  expression.kind === "iterate" && expression.source.kind === "identity";

/**
 * `recurse(.a)` → `$visit := function($item) { $append({"value": $item}, $visit($memberOf($item, "a"))) }`, called with
 * what `.` is.
 */
export function eachRecurse({ body }: Recurse, printer: Printer, mode: Mode, use: Use): Code {
  if (isIteration(body) && body.optional)
    return eachBox(help(printer, "descendantsOf", printer.dot), mode, printer, use);
  if (mode.kind === "fold") {
    if (canFail(body)) refuse("a fold over a recursion that may fail", body);
    return eachBox(eachRecurse({ kind: "recurse", body }, printer, collect, collect.pass), mode, printer, use);
  }
  const [visit, item] = [fresh(printer, "visit"), fresh(printer, "item")];
  const again = (output: Code) => apply(visit.slice(1), output);
  const parts = [use(referenceCode(item)), eachOutput(body, withDot(printer, referenceCode(item)), mode, again)];
  const definition = `${visit} := ${lambda([item], joined(parts, mode, printer, 2))}`;
  return after([definition], again(printer.dot));
}

/**
 * The nodes of a query: `$.a` → `$type($states.input) = "object" and $exists($states.input.a) ? $states.input.a`,
 * `$.a[*]` → `$childrenOf(…)`.
 */
export function eachNode({ source, segments }: Query, printer: Printer, mode: Mode, use: Use): Code {
  const path = chainOf(segments);
  const known = sourceOf(source, printer);
  const nodes = (from: Code): Code =>
    path
      ? whenPresent(chain(from, path, printer, known), mode, printer, use)
      : eachBox(boxes(from, segments, printer, known), mode, printer, use);
  return outputs(source) === "many" ? eachOutput(source, printer, mode, nodes) : nodes(firstOutput(source, printer));
}

/** The boxes of the nodes of a query, for a source with at most one output. */
export const nodesOf = ({ source, segments }: Query, printer: Printer): Code =>
  boxes(firstOutput(source, printer), segments, printer, sourceOf(source, printer));

/** Whether a query may have several nodes in one value. */
export const isIndefinite = ({ source, segments }: Query): boolean => outputs(source) !== "many" && !chainOf(segments);

/** What is known of the value that a path begins at: its shape, and whether it is there. */
interface Source {
  readonly shape: Shape;
  readonly isThere: boolean;
}

const unknownSource: Source = { shape: any, isThere: false };

/** Of a source that may have failed instead nothing is known. */
const sourceOf = (source: Expression, printer: Printer): Source =>
  printer.caught && canFail(source)
    ? unknownSource
    : { shape: shapeIn(source, printer), isThere: outputs(source) !== "optional" };

/** The names and indexes of a path that goes to one place. */
function chainOf(segments: readonly Segment[]): readonly (string | number)[] | undefined {
  const steps = segments.map(stepOf);
  return steps.every((step) => step !== undefined) ? steps : undefined;
}

function stepOf({ descend, selectors: [selector, ...others] }: Segment): string | number | undefined {
  if (descend || others.length > 0) return undefined;
  return selector?.kind === "name" ? selector.name : selector?.kind === "index" ? selector.index : undefined;
}

/**
 * Names that every object of JavaScript seems to have: whether a value has such a member of its own has to be asked.
 */
const inherited: ReadonlySet<unknown> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Whether every object of JavaScript seems to have a member of that name. */
const isInherited = (name: string): boolean => inherited.has(name);

/** A step of a path as JSONata writes it; undefined for one that it would misunderstand. */
export const written = (step: string | number): string | number | undefined =>
  typeof step === "number" ? step : inherited.has(step) ? undefined : nameText(step);

/**
 * Whether JSONata lets a path begin with a piece that can be written twice: it does with a name, not with a constant.
 */
export const isReference = (piece: Code): boolean => isAtom(piece) && piece.short === "reference";

/** Longer paths are followed by a function. */
const longestWritten = 3;

/** What is at a place in a value, or nothing. */
function chain(
  source: Code,
  path: readonly (string | number)[],
  printer: Printer,
  known: Source = unknownSource,
): Code {
  if (path.length === 0) return source;
  const placed = memberMade(source, path[0]!, known.shape);
  if (placed)
    return chain(placed, path.slice(1), printer, {
      shape: memberOf(known.shape, path[0] as string).shape,
      isThere: true,
    });
  const names = path.map(written);
  const isWritten = names.length <= longestWritten && names.every((name) => name !== undefined);
  if (isWritten && isPath(source)) return pathCode(follow(source.path, path, known.shape), source.before);
  if (isWritten && (!isAtom(source) || isReference(source))) {
    return named(source, printer, "value", ({ text }) =>
      pathCode(follow({ guard: [], text, isPlain: true, isSure: known.isThere }, path, known.shape)),
    );
  }
  const helper = path.some((step) => typeof step === "number")
    ? "getAt"
    : path.some((step) => inherited.has(step))
      ? "getOwn"
      : "get";
  const steps = path.map((step) => (typeof step === "number" ? String(step) : stringText(step)));
  return help(printer, helper, source, code(steps.length === 1 ? steps[0]! : `[${steps.join(", ")}]`));
}

/** A member of an object that is merged, where the last object that is merged is written out and surely has it: `$merge([$x, {"a": 1}]).a` → `1`. */
function memberMade({ before, objects, members }: Code, name: string | number, shape: Shape): Code | undefined {
  if (before.length > 0 || typeof name === "number" || memberOf(shape, name).presence !== "always") return undefined;
  const others = objects?.slice(0, -1) ?? [];
  if (!others.every((other) => isReference(other))) return undefined;
  const last = objects ? objects.at(-1)!.members : members;
  return last?.every(([, item]) => isAtom(item)) ? last.find(([key]) => key === name)?.[1] : undefined;
}

/** A path as JSONata writes it, with questions where it is not known that there are objects and arrays. */
function follow(from: Path, steps: readonly (string | number)[], source: Shape): Path {
  const guard = [...from.guard];
  let { text, isPlain, isSure } = from;
  let shape = source;
  for (const step of steps) {
    const type = typeof step === "number" ? "array" : "object";
    if (type === "array" ? !isAlways(shape, type) : mayBe(shape, "array")) guard.push({ of: text, type });
    text = typeof step === "number" ? `${text}[${step}]` : `${text}.${written(step)}`;
    isPlain &&= typeof step === "number" ? step >= 0 : isName(step);
    const found = typeof step === "number" ? undefined : memberOf(shape, step);
    isSure &&= found?.presence === "always";
    shape = found?.shape ?? elementOf(shape);
  }
  return { guard, text, isPlain, isSure };
}

/** A box for a value that may be missing. */
function boxed(value: Code, printer: Printer): Code {
  return whenPresent(value, collect, printer, collect.pass);
}

/** The boxes of what segments select in a value, or in nothing. */
function boxes(source: Code, segments: readonly Segment[], printer: Printer, known: Source): Code {
  const lead = segments.findIndex((segment) => stepOf(segment) === undefined);
  const start = chain(source, chainOf(segments.slice(0, lead))!, printer, known);
  const [first, ...rest] = segments.slice(lead);
  if (!first) return boxed(start, printer);
  if (first.descend)
    return further(help(printer, "descendantsOf", start), [{ ...first, descend: false }, ...rest], printer);
  if (first.selectors.length === 1) return further(selected(start, first.selectors[0]!, printer), rest, printer);
  return named(start, printer, "value", (from) => {
    const found = anyOf(from, first, printer);
    return rest.length === 0 ? found : further(parenthesised(found), rest, printer);
  });
}

/**
 * What segments select in the values in boxes. JSONata's own paths go through the boxes: in them `value` is the value
 * of each.
 */
function further(from: Code, segments: readonly Segment[], printer: Printer): Code {
  const [segment] = segments;
  if (!segment) return from;
  const lead = segments.findIndex((one) => stepOf(one) === undefined);
  const steps = chainOf(segments.slice(0, lead < 0 ? segments.length : lead))!;
  const inEach = (piece: Code): Code => ({
    ...code(`${from.text}.${operand(piece, precedence.primary)}`, precedence.product),
    before: from.before,
  });
  const here = referenceCode("value");
  if (steps.length > 0)
    return further(inEach(boxed(chain(here, steps, printer), printer)), segments.slice(steps.length), printer);
  if (segment.descend) {
    const inside = inEach(help(printer, "descendantsOf", here));
    return further(inside, [{ ...segment, descend: false }, ...segments.slice(1)], printer);
  }
  const [selector, ...others] = segment.selectors;
  const found =
    others.length === 0 && selector ? selected(here, selector, printer) : parenthesised(anyOf(here, segment, printer));
  return further(inEach(found), segments.slice(1), printer);
}

const parenthesised = (list: Code): Code => ({ ...list, text: `(${list.text})` });

/** What each of several selectors selects in a value. */
function anyOf(source: Code, { selectors }: Segment, printer: Printer): Code {
  const failing = selectors.filter((selector) => selector.kind === "filter" && canFail(selector.condition)).length;
  const lists = selectors.map((selector) => selected(source, selector, printer));
  return joined(lists, collect, printer, failing);
}

/** The boxes of what a selector selects in a value, or in nothing. */
function selected(source: Code, selector: Selector, printer: Printer): Code {
  switch (selector.kind) {
    case "name":
      return boxed(chain(source, [selector.name], printer), printer);
    case "index":
      return boxed(chain(source, [selector.index], printer), printer);
    case "wildcard":
      return help(printer, "childrenOf", source);
    case "slice":
      return slice(source, selector, printer);
    case "filter": {
      const condition = holds(selector, printer);
      const all = code(`${whole(help(printer, "childrenOf", source))}[${whole(condition)}]`);
      return asksNoArray(condition) ? { ...all, areNoArrays: true } : all;
    }
    default:
      return assertNever(selector);
  }
}

/** Whether a condition asks a value to be of a type that arrays are not of. */
function asksNoArray({ before, and, asks }: Code): boolean {
  const questions = before.length > 0 ? [] : (and?.map((each) => each.asks) ?? [asks]);
  return questions.some((each) => each?.of === "value" && each.type !== "array");
}

function slice(source: Code, { start, end, step = 1 }: Extract<Selector, { kind: "slice" }>, printer: Printer): Code {
  const bounds = (from: number | null) =>
    [from, end ?? null, Math.abs(step)].map((bound) => constantCode(String(bound)));
  if (step === 0) return help(printer, "sliceOf", source, ...["0", "0", "1"].map((text) => code(text)));
  return step > 0
    ? help(printer, "sliceOf", source, ...bounds(start ?? 0))
    : help(printer, "sliceBack", source, ...bounds(start ?? null));
}

/** Whether the condition of a filter holds, in the context of a box: its first output is true. */
function holds({ condition }: Extract<Selector, { kind: "filter" }>, printer: Printer): Code {
  const text = firstOutput(condition, withDot(printer, referenceCode("value")));
  return outputs(condition) === "one" && typeIn(condition, withDot(printer, referenceCode("value"))) === "boolean"
    ? text
    : equal(text, constantCode("true"));
}
