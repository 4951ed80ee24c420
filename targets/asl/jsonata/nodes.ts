import { canFail, factsOf, outputs, type Query, type Segment, type Selector } from "../../../src/expressions/index.ts";
import { assertNever } from "../../../src/json.ts";
import { type Code, code, isAtom, isPath, level, operand, type Path, pathCode, whole } from "./code.ts";
import { each, value } from "./each.ts";
import { equal } from "./equal.ts";
import { collect, eachBox, joined, type Mode, type Use, whenPresent } from "./modes.ts";
import { help, named, type Printer, withDot } from "./printer.ts";
import { nameText, stringText } from "./text.ts";

/** The nodes of a query. */
export function eachNode({ source, segments }: Query, printer: Printer, mode: Mode, use: Use): Code {
  const path = chainOf(segments);
  const nodes = (from: Code): Code =>
    path
      ? whenPresent(chain(from, path, printer), mode, printer, use)
      : eachBox(boxes(from, segments, printer), mode, printer, use);
  return outputs(source) === "many" ? each(source, printer, mode, nodes) : nodes(value(source, printer));
}

/** The boxes of the nodes of a query, for a source with at most one output. */
export const nodesOf = ({ source, segments }: Query, printer: Printer): Code =>
  boxes(value(source, printer), segments, printer);

/** Whether a query may have several nodes in one value. */
export const isIndefinite = ({ source, segments }: Query): boolean => outputs(source) !== "many" && !chainOf(segments);

/** The names and indexes of a path that goes to one place. */
function chainOf(segments: readonly Segment[]): readonly (string | number)[] | undefined {
  const steps = segments.map(stepOf);
  return steps.every((step) => step !== undefined) ? steps : undefined;
}

function stepOf({ descend, selectors: [selector, ...others] }: Segment): string | number | undefined {
  if (descend || others.length > 0) return undefined;
  return selector?.kind === "name" ? selector.name : selector?.kind === "index" ? selector.index : undefined;
}

/** Names that every object of JavaScript seems to have: whether a value has such a member of its own has to be asked. */
const inherited: ReadonlySet<unknown> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Whether every object of JavaScript seems to have a member of that name. */
export const isInherited = (name: string): boolean => inherited.has(name);

/** A step of a path as JSONata writes it; undefined for one that it would misunderstand. */
export const written = (step: string | number): string | number | undefined =>
  typeof step === "number" ? step : inherited.has(step) ? undefined : nameText(step);

/** Whether JSONata lets a path begin with a piece that can be written twice: it does with a name, not with a constant. */
export const isPlace = ({ text }: Code): boolean => /^(?:\$|value$)/.test(text);

/** Longer paths are followed by a function. */
const longestWritten = 3;

/** What is at a place in a value, or nothing. */
function chain(source: Code, path: readonly (string | number)[], printer: Printer): Code {
  if (path.length === 0) return source;
  const names = path.map(written);
  const isWritten = names.length <= longestWritten && names.every((name) => name !== undefined);
  if (isWritten && isPath(source)) return pathCode(follow(source.path, names), source.before);
  if (isWritten && (!isAtom(source) || isPlace(source))) {
    return named(source, printer, "value", ({ text }) => pathCode(follow({ guard: [], text }, names)));
  }
  const helper = path.some((step) => typeof step === "number")
    ? "getAt"
    : path.some((step) => inherited.has(step))
      ? "getOwn"
      : "get";
  const steps = path.map((step) => (typeof step === "number" ? String(step) : stringText(step)));
  return help(printer, helper, source, code(steps.length === 1 ? steps[0]! : `[${steps.join(", ")}]`));
}

/** A path as JSONata writes it. */
function follow(from: Path, steps: readonly (string | number)[]): Path {
  const guard = [...from.guard];
  let { text } = from;
  for (const step of steps) {
    const isIndex = typeof step === "number";
    guard.push(`$type(${text}) = "${isIndex ? "array" : "object"}"`);
    text = isIndex ? `${text}[${step}]` : `${text}.${step}`;
  }
  return { guard, text };
}

/** A box for a value that may be missing. */
function boxed(value: Code, printer: Printer): Code {
  return whenPresent(value, collect, printer, collect.pass);
}

/** The boxes of what segments select in a value, or in nothing. */
function boxes(source: Code, segments: readonly Segment[], printer: Printer): Code {
  const lead = segments.findIndex((segment) => stepOf(segment) === undefined);
  const start = chain(source, chainOf(segments.slice(0, lead))!, printer);
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

/** What segments select in the values in boxes. JSONata's own paths go through the boxes: in them `value` is the value of each. */
function further(from: Code, segments: readonly Segment[], printer: Printer): Code {
  const [segment] = segments;
  if (!segment) return from;
  const lead = segments.findIndex((one) => stepOf(one) === undefined);
  const steps = chainOf(segments.slice(0, lead < 0 ? segments.length : lead))!;
  const each = (piece: Code): Code => ({
    ...code(`${from.text}.${operand(piece, level.primary)}`, level.product),
    before: from.before,
  });
  const here = code("value");
  if (steps.length > 0)
    return further(each(boxed(chain(here, steps, printer), printer)), segments.slice(steps.length), printer);
  if (segment.descend) {
    const inside = each(help(printer, "descendantsOf", here));
    return further(inside, [{ ...segment, descend: false }, ...segments.slice(1)], printer);
  }
  const [selector, ...others] = segment.selectors;
  const found =
    others.length === 0 && selector ? selected(here, selector, printer) : parenthesised(anyOf(here, segment, printer));
  return further(each(found), segments.slice(1), printer);
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
    case "filter":
      return code(`${whole(help(printer, "childrenOf", source))}[${whole(holds(selector, printer))}]`);
    default:
      return assertNever(selector);
  }
}

function slice(source: Code, { start, end, step = 1 }: Extract<Selector, { kind: "slice" }>, printer: Printer): Code {
  const bounds = (from: number | null) => [from, end ?? null, Math.abs(step)].map((bound) => code(String(bound)));
  if (step === 0) return help(printer, "sliceOf", source, ...["0", "0", "1"].map((text) => code(text)));
  return step > 0
    ? help(printer, "sliceOf", source, ...bounds(start ?? 0))
    : help(printer, "sliceBack", source, ...bounds(start ?? null));
}

/** Whether the condition of a filter holds, in the context of a box: its first output is true. */
function holds({ condition }: Extract<Selector, { kind: "filter" }>, printer: Printer): Code {
  const text = value(condition, withDot(printer, code("value")));
  return outputs(condition) === "one" && factsOf(condition).type === "boolean" ? text : equal(text, code("true"));
}
