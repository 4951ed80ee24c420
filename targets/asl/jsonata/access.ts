import {
  type Access,
  access,
  canFail,
  type Expression,
  type Iterate,
  literal,
  outputs,
  type Query,
  type Recurse,
  type Segment,
  type Selector,
  sliceBounds,
} from "../../../src/expressions/index.ts";
import { assertNever, type Json } from "../../../src/json.ts";
import { alternatives, any, elementOf, memberOf, type Type } from "../../../src/types/index.ts";
import {
  blockText,
  type Code,
  callCode,
  code,
  constantCode,
  equal,
  isAtom,
  isName,
  isPath,
  lambda,
  nameText,
  operandText,
  type PrintedPath,
  pathCode,
  precedence,
  referenceCode,
  stringText,
  ternary,
  withDefinitions,
} from "./code.ts";
import {
  bindName,
  callHelper,
  freshName,
  inferredType,
  isAlways,
  type JsonataPrinter,
  type Mode,
  mayBe,
  type OutputContinuation,
  reject,
  typeNameIn,
  withDot,
} from "./context.ts";
import {
  catching,
  collect,
  concatenate,
  eachBox,
  eachBoxUnlessFailure,
  isFailure,
  unlessFailure,
  whenPresent,
} from "./outputs.ts";
import { eachOutput, firstOutput, operands } from "./printer.ts";
import { literalKeys } from "./values.ts";

/** Prints `T[K]`: `.a` → `$memberOf($states.input, "a")`, or `$states.input.a` if that surely exists. */
export function eachAccess(expression: Access, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  const bounds = sliceBounds(expression);
  if (bounds) return eachSlice(expression, bounds, printer, mode, use);
  if (expression.optional) {
    const parts = [expression.key, expression.source];
    return operands(parts, printer, mode, ([key, from]) =>
      eachFound(lookup(from!, expression.key, key!, catching(printer)), printer, mode, use),
    );
  }
  const names = trailingNames(expression);
  const made = constructedMember(names.source, names.path[0]);
  if (made)
    return eachOutput(
      names.path.slice(1).reduce<Expression>((source, name) => access(source, literal(name)), made),
      printer,
      mode,
      use,
    );
  if (names.path.length > 1) {
    const path = code(`[${names.path.map(stringText).join(", ")}]`);
    const type = inferredType(names.source, printer);
    return eachOutput(names.source, printer, mode, (from) => {
      const known = memberCode(from, names.path, type, printer);
      return known ? use(known) : unlessFailure(callHelper(printer, "memberAt", from, path), printer, mode, use);
    });
  }
  return operands([expression.key, expression.source], printer, mode, ([key, from]) =>
    unlessFailure(
      lookup(from!, expression.key, key!, printer, inferredType(expression.source, printer)),
      printer,
      mode,
      use,
    ),
  );
}

/** The value of a member of a constructed object whose other members cannot fail. */
function constructedMember(source: Expression, name: string | undefined): Expression | undefined {
  const keys = name !== undefined && source.kind === "object" ? literalKeys(source) : undefined;
  if (!keys || source.kind !== "object" || new Set(keys).size !== keys.length) return undefined;
  const values = source.entries.map(({ value }) => value);
  const found = values[keys.indexOf(name!)];
  return values.every((value) => outputs(value) === "one" && (value === found || !canFail(value)))
    ? (found ?? literal(null))
    : undefined;
}

function trailingNames(expression: Expression): { readonly source: Expression; readonly path: readonly string[] } {
  const name = expression.kind === "access" && !expression.optional ? nameOf(expression.key) : undefined;
  if (expression.kind !== "access" || name === undefined) return { source: expression, path: [] };
  const { source, path } = trailingNames(expression.source);
  return { source, path: [...path, name] };
}

function nameOf(key: Expression): string | undefined {
  const name = key.kind === "literal" ? key.value : undefined;
  return typeof name === "string" && isPlainName(name) ? name : undefined;
}

/** Whether JSONata finds only own members under a name, and jq's error messages show it unescaped. */
export const isPlainName = (name: string): boolean => /^[ !#-[\]-~]{0,27}$/.test(name) && !isInherited(name);

/** The value under a key, which may fail. */
export function lookup(from: Code, key: Expression, text: Code, printer: JsonataPrinter, type: Type = any): Code {
  const name = nameOf(key);
  if (name !== undefined) return memberCode(from, [name], type, printer) ?? callHelper(printer, "memberOf", from, text);
  if (key.kind === "variable" && printer.facts.isCount(key.name)) return callHelper(printer, "itemAt", from, text);
  const index = key.kind === "literal" && typeof key.value === "number" ? key.value : undefined;
  return Number.isSafeInteger(index) && Math.abs(index!) < 1e15
    ? callHelper(printer, "itemAt", from, text)
    : callHelper(printer, "valueAt", from, text);
}

/** A member path whose parents are objects or null; null if the member is missing. */
export function memberCode(from: Code, path: readonly string[], type: Type, printer: JsonataPrinter): Code | undefined {
  const names = path.map(stepText);
  if (names.length > maxPrintedSteps || names.some((name) => name === undefined)) return undefined;
  if (isAtom(from) && !isReference(from)) return undefined;
  let [found, isSure] = [type, true];
  for (const name of path) {
    if (!alternatives(found).every(({ kind }) => kind === "object" || kind === "null")) return undefined;
    const member = memberOf(found, name);
    isSure &&= member.presence === "always";
    found = member.type;
  }
  return bindName(from, printer, "value", ({ text }) => {
    const member = (path.every(isName) ? referenceCode : code)([text, ...names].join("."));
    return isSure ? member : ternary(callCode("exists", member), member, constantCode("null"));
  });
}

function eachFound(result: Code, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  return bindName(result, printer, "found", (found) => ternary(isFailure(found), mode.none, use(found)));
}

/** Prints `T[F:U]`: `.[1:3]` → `$partOf($states.input, 1, 3)`. */
function eachSlice(
  { source, optional }: Access,
  [from, upTo]: readonly [Expression, Expression],
  printer: JsonataPrinter,
  mode: Mode,
  use: OutputContinuation,
): Code {
  return operands([from, upTo, source], printer, mode, ([low, high, value]) => {
    const part = (inner: JsonataPrinter) =>
      arraySlice(source, value!, [from, upTo], inner) ?? callHelper(inner, "partOf", value!, low!, high!);
    return optional
      ? eachFound(part(catching(printer)), printer, mode, use)
      : unlessFailure(part(printer), printer, mode, use);
  });
}

/** `.[:2]` → `$unbox($sliceOf($states.input, 0, 2, 1))`. */
function arraySlice(
  source: Expression,
  list: Code,
  bounds: readonly [Expression, Expression],
  printer: JsonataPrinter,
): Code | undefined {
  const [from, upTo] = bounds.map((bound) => (bound.kind === "literal" ? bound.value : undefined));
  const isPlace = (bound: Json | undefined): boolean => bound === null || Number.isSafeInteger(bound);
  if (!isAlways(inferredType(source, printer), "array") || !isPlace(from) || !isPlace(upTo)) return undefined;
  const texts = [from ?? 0, upTo!, 1].map((bound) => constantCode(String(bound)));
  return callHelper(printer, "unbox", callHelper(printer, "sliceOf", list, ...texts));
}

/** Prints `T[]`: the values boxed by `$itemsOf($states.input)`, or by `$childrenOf($states.input)` for `.[]?`. */
export function eachIterate(
  { source, optional }: Iterate,
  printer: JsonataPrinter,
  mode: Mode,
  use: OutputContinuation,
): Code {
  const isSure =
    optional || alternatives(inferredType(source, printer)).every(({ kind }) => ["array", "object"].includes(kind));
  return eachOutput(source, printer, mode, (from) =>
    isSure
      ? eachBox(callHelper(printer, "childrenOf", from), mode, printer, use)
      : eachBoxUnlessFailure(callHelper(printer, "itemsOf", from), printer, mode, use),
  );
}

const isIteration = (expression: Expression): expression is Iterate =>
  expression.kind === "iterate" && expression.source.kind === "identity";

/** Prints `recurse(.a)` by a function that calls itself: `$append({"value": $item}, $visit(…))`. */
export function eachRecurse(recursion: Recurse, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  const [body] = recursion.args;
  if (isIteration(body) && body.optional)
    return eachBox(callHelper(printer, "descendantsOf", printer.dot), mode, printer, use);
  if (mode.kind === "fold") {
    if (canFail(body)) reject("a fold over a recursion that may fail", body);
    return eachBox(eachRecurse(recursion, printer, collect, collect.pass), mode, printer, use);
  }
  const [visit, item] = [freshName(printer, "visit"), freshName(printer, "item")];
  const again = (output: Code) => callCode(visit.slice(1), output);
  const parts = [use(referenceCode(item)), eachOutput(body, withDot(printer, referenceCode(item)), mode, again)];
  const definition = `${visit} := ${lambda([item], concatenate(parts, mode, printer, 2))}`;
  return withDefinitions([definition], again(printer.dot));
}

/** Prints a query's nodes: `$.a[*]` → `$childrenOf(…)`. */
export function eachNode(
  { source, segments }: Query,
  printer: JsonataPrinter,
  mode: Mode,
  use: OutputContinuation,
): Code {
  const path = definiteSteps(segments);
  const known = sourceOf(source, printer);
  const nodes = (from: Code): Code =>
    path
      ? whenPresent(pathAccess(from, path, printer, known), mode, printer, use)
      : eachBox(selectBoxes(from, segments, printer, known), mode, printer, use);
  return outputs(source) === "many" ? eachOutput(source, printer, mode, nodes) : nodes(firstOutput(source, printer));
}

/** A query's boxed nodes, if its source has at most one output. */
export const nodesOf = ({ source, segments }: Query, printer: JsonataPrinter): Code =>
  selectBoxes(firstOutput(source, printer), segments, printer, sourceOf(source, printer));

/** Whether a query may select several nodes of one value. */
export const isIndefinite = ({ source, segments }: Query): boolean =>
  outputs(source) !== "many" && !definiteSteps(segments);

interface PathSource {
  readonly type: Type;
  readonly isPresent: boolean;
}

const unknownSource: PathSource = { type: any, isPresent: false };

const sourceOf = (source: Expression, printer: JsonataPrinter): PathSource =>
  printer.catchesFailures && canFail(source)
    ? unknownSource
    : { type: inferredType(source, printer), isPresent: outputs(source) !== "optional" };

function definiteSteps(segments: readonly Segment[]): readonly (string | number)[] | undefined {
  const steps = segments.map(stepOf);
  return steps.every((step) => step !== undefined) ? steps : undefined;
}

function stepOf({ descend, selectors: [selector, ...others] }: Segment): string | number | undefined {
  if (descend || others.length > 0) return undefined;
  return selector?.kind === "name" ? selector.name : selector?.kind === "index" ? selector.index : undefined;
}

/** JSONata finds these in every object, inherited from JavaScript. */
const inherited: ReadonlySet<unknown> = new Set(Object.getOwnPropertyNames(Object.prototype));

const isInherited = (name: string): boolean => inherited.has(name);

/** A path step in JSONata syntax; undefined for one that JSONata misreads. */
export const stepText = (step: string | number): string | number | undefined =>
  typeof step === "number" ? step : inherited.has(step) ? undefined : nameText(step);

/** Whether a path may begin with a piece: JSONata allows names there, not constants. */
export const isReference = (piece: Code): boolean => isAtom(piece) && piece.atom === "reference";

/** Of a path whose parents need guards. */
const maxPrintedSteps = 3;

/** Each guard repeats the path before it. */
const mayPrintSteps = (path: readonly (string | number)[], source: Type): boolean =>
  path.length <= maxPrintedSteps ||
  extendPath({ guards: [], text: "", isPlain: true, isPresent: true }, path, source).guards.length < maxPrintedSteps;

function pathAccess(
  source: Code,
  path: readonly (string | number)[],
  printer: JsonataPrinter,
  known: PathSource = unknownSource,
): Code {
  if (path.length === 0) return source;
  const placed = literalMember(source, path[0]!, known.type);
  if (placed)
    return pathAccess(placed, path.slice(1), printer, {
      type: memberOf(known.type, path[0] as string).type,
      isPresent: true,
    });
  const names = path.map(stepText);
  const isWritten = mayPrintSteps(path, known.type) && names.every((name) => name !== undefined);
  if (isWritten && isPath(source)) return pathCode(extendPath(source.path, path, known.type), source.definitions);
  if (isWritten && (!isAtom(source) || isReference(source))) {
    return bindName(source, printer, "value", ({ text }) =>
      pathCode(extendPath({ guards: [], text, isPlain: true, isPresent: known.isPresent }, path, known.type)),
    );
  }
  const helper = path.some((step) => typeof step === "number")
    ? "getAt"
    : path.some((step) => inherited.has(step))
      ? "getOwn"
      : "get";
  const steps = path.map((step) => (typeof step === "number" ? String(step) : stringText(step)));
  return callHelper(printer, helper, source, code(steps.length === 1 ? steps[0]! : `[${steps.join(", ")}]`));
}

/** The member of a merge that ends in a literal with it: `$merge([$x, {"a": 1}]).a` → `1`. */
function literalMember({ definitions, merged, members }: Code, name: string | number, type: Type): Code | undefined {
  if (definitions.length > 0 || typeof name === "number" || memberOf(type, name).presence !== "always")
    return undefined;
  const others = merged?.slice(0, -1) ?? [];
  if (!others.every((other) => isReference(other))) return undefined;
  const last = merged ? merged.at(-1)!.members : members;
  return last?.every(([, item]) => isAtom(item)) ? last.find(([key]) => key === name)?.[1] : undefined;
}

function extendPath(from: PrintedPath, steps: readonly (string | number)[], source: Type): PrintedPath {
  const guards = [...from.guards];
  let { text, isPlain, isPresent } = from;
  let valueType = source;
  for (const step of steps) {
    const type = typeof step === "number" ? "array" : "object";
    if (type === "array" ? !isAlways(valueType, type) : mayBe(valueType, "array")) guards.push({ subject: text, type });
    text = typeof step === "number" ? `${text}[${step}]` : `${text}.${stepText(step)}`;
    isPlain &&= typeof step === "number" ? step >= 0 : isName(step);
    const found = typeof step === "number" ? undefined : memberOf(valueType, step);
    isPresent &&= found?.presence === "always";
    valueType = found?.type ?? elementOf(valueType);
  }
  return { guards, text, isPlain, isPresent };
}

function boxOf(value: Code, printer: JsonataPrinter): Code {
  return whenPresent(value, collect, printer, collect.pass);
}

function selectBoxes(source: Code, segments: readonly Segment[], printer: JsonataPrinter, known: PathSource): Code {
  const lead = segments.findIndex((segment) => stepOf(segment) === undefined);
  const start = pathAccess(source, definiteSteps(segments.slice(0, lead))!, printer, known);
  const [first, ...rest] = segments.slice(lead);
  if (!first) return boxOf(start, printer);
  if (first.descend)
    return selectWithin(callHelper(printer, "descendantsOf", start), [{ ...first, descend: false }, ...rest], printer);
  if (first.selectors.length === 1) return selectWithin(selectOne(start, first.selectors[0]!, printer), rest, printer);
  return bindName(start, printer, "value", (from) => {
    const found = selectAny(from, first, printer);
    return rest.length === 0 ? found : selectWithin(parenthesized(found), rest, printer);
  });
}

/** By a JSONata path over the boxes. */
function selectWithin(from: Code, segments: readonly Segment[], printer: JsonataPrinter): Code {
  const [segment] = segments;
  if (!segment) return from;
  const lead = segments.findIndex((one) => stepOf(one) === undefined);
  const steps = definiteSteps(segments.slice(0, lead < 0 ? segments.length : lead))!;
  const inEach = (piece: Code): Code => ({
    ...code(`${from.text}.${operandText(piece, precedence.primary)}`, precedence.product),
    definitions: from.definitions,
  });
  const here = referenceCode("value");
  if (steps.length > 0)
    return selectWithin(
      inEach(boxOf(pathAccess(here, steps, printer), printer)),
      segments.slice(steps.length),
      printer,
    );
  if (segment.descend) {
    const inside = inEach(callHelper(printer, "descendantsOf", here));
    return selectWithin(inside, [{ ...segment, descend: false }, ...segments.slice(1)], printer);
  }
  const [selector, ...others] = segment.selectors;
  const found =
    others.length === 0 && selector
      ? selectOne(here, selector, printer)
      : parenthesized(selectAny(here, segment, printer));
  return selectWithin(inEach(found), segments.slice(1), printer);
}

const parenthesized = (list: Code): Code => ({ ...list, text: `(${list.text})` });

function selectAny(source: Code, { selectors }: Segment, printer: JsonataPrinter): Code {
  const failing = selectors.filter((selector) => selector.kind === "filter" && canFail(selector.condition)).length;
  const lists = selectors.map((selector) => selectOne(source, selector, printer));
  return concatenate(lists, collect, printer, failing);
}

function selectOne(source: Code, selector: Selector, printer: JsonataPrinter): Code {
  switch (selector.kind) {
    case "name":
      return boxOf(pathAccess(source, [selector.name], printer), printer);
    case "index":
      return boxOf(pathAccess(source, [selector.index], printer), printer);
    case "wildcard":
      return callHelper(printer, "childrenOf", source);
    case "slice":
      return sliceBoxes(source, selector, printer);
    case "filter": {
      const condition = filterCondition(selector, printer);
      const all = code(`${blockText(callHelper(printer, "childrenOf", source))}[${blockText(condition)}]`);
      return excludesArrays(condition) ? { ...all, holdsNoArrays: true } : all;
    }
    default:
      return assertNever(selector);
  }
}

function excludesArrays({ definitions, conjuncts, typeTest }: Code): boolean {
  const tests = definitions.length > 0 ? [] : (conjuncts?.map((each) => each.typeTest) ?? [typeTest]);
  return tests.some((test) => test?.subject === "value" && test.type !== "array");
}

function sliceBoxes(
  source: Code,
  { start, end, step = 1 }: Extract<Selector, { kind: "slice" }>,
  printer: JsonataPrinter,
): Code {
  const bounds = (from: number | null) =>
    [from, end ?? null, Math.abs(step)].map((bound) => constantCode(String(bound)));
  if (step === 0) return callHelper(printer, "sliceOf", source, ...["0", "0", "1"].map((text) => code(text)));
  return step > 0
    ? callHelper(printer, "sliceOf", source, ...bounds(start ?? 0))
    : callHelper(printer, "sliceBack", source, ...bounds(start ?? null));
}

function filterCondition({ condition }: Extract<Selector, { kind: "filter" }>, printer: JsonataPrinter): Code {
  const text = firstOutput(condition, withDot(printer, referenceCode("value")));
  return outputs(condition) === "one" && typeNameIn(condition, withDot(printer, referenceCode("value"))) === "boolean"
    ? text
    : equal(text, constantCode("true"));
}
