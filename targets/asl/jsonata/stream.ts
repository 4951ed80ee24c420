import type { Expression, Query, Segment, Selector } from "../../../src/expressions/ast.ts";
import { variable } from "../../../src/expressions/build.ts";
import { factsOf } from "../../../src/expressions/facts.ts";
import { childrenOf, withChildren } from "../../../src/expressions/walk.ts";
import { assertNever } from "../../../src/json.ts";
import { attributeStream, firstText } from "./builtins.ts";
import { deeper, help, local, outputsOf, type Printer, refuse } from "./printer.ts";
import { stringText } from "./text.ts";
import { bound, condition, conditionalText, letText, value } from "./value.ts";

/** An expression with at most one output, as text that gives it, or nothing. */
export function optional(expression: Expression, printer: Printer): string {
  const outputs = outputsOf(expression);
  if (outputs === "many") return help(printer, "head", stream(expression, printer));
  if (outputs === "one" && expression.kind !== "query") return value(expression, printer);
  switch (expression.kind) {
    case "query":
      return isChain(expression.segments) && outputsOf(expression.source) !== "many"
        ? chain(optional(expression.source, printer), expression.segments, printer)
        : help(printer, "head", stream(expression, printer));
    case "if":
      return conditionalText(expression, printer, optional);
    case "let":
      return letText(expression, printer, optional);
    case "call":
      if (expression.name === "first") return firstText(expression.args[0]!, printer);
      return expression.name === "attribute" ? help(printer, "head", stream(expression, printer)) : lifted(expression, printer);
    case "pipe":
      return help(printer, "head", stream(expression, printer));
    default:
      return lifted(expression, printer);
  }
}

/** An expression that gives nothing because a part of it may: the parts first, and the whole where all of them are there. */
function lifted(expression: Expression, printer: Printer): string {
  const children = childrenOf(expression);
  if (children.some((child) => child.binds !== undefined || child.rebinds || outputsOf(child.expression) === "many")) {
    return refuse("a construction of several values at once", expression);
  }
  const given: string[] = [];
  let inner = printer;
  const parts = children.map(({ expression: part }) => {
    if (outputsOf(part) === "one") return part;
    const name = local(inner, "part");
    given.push(`${name} := ${optional(part, inner)}`);
    inner = deeper(inner, { bind: [`${name}'`, name] });
    return variable(`${name}'`);
  });
  const names = given.map((text) => text.slice(0, text.indexOf(" ")));
  const there = names.map((name) => `$exists(${name})`).join(" and ");
  return `(${given.join("; ")}; ${there} ? ${value(withChildren(expression, parts), inner)})`;
}

/** All outputs of an expression, in order, as an array of boxes. */
export function stream(expression: Expression, printer: Printer): string {
  switch (expression.kind) {
    case "query":
      return isChain(expression.segments) && outputsOf(expression.source) !== "many"
        ? boxed(expression, printer)
        : nodes(expression, printer);
    case "comma":
      return joined(expression.items.map((item) => stream(item, printer)));
    case "if":
      return conditionalText(expression, printer, stream);
    case "let":
      return letText(expression, printer, stream);
    case "pipe":
      return pipeStream(expression.left, expression.right, printer);
    case "call":
      if (expression.name === "attribute") return attributeStream(expression, printer);
      return boxed(expression, printer);
    default:
      return outputsOf(expression) === "many" ? refuse("a construction of several values at once", expression) : boxed(expression, printer);
  }
}

function boxed(expression: Expression, printer: Printer): string {
  if (outputsOf(expression) === "one") return `[{"v": ${value(expression, printer)}}]`;
  return `[${help(printer, "box", optional(expression, printer))}]`;
}

function pipeStream(left: Expression, right: Expression, printer: Printer): string {
  if (outputsOf(left) === "one") return bound(left, printer, (name) => stream(right, deeper(printer, { dot: name })));
  const box = local(printer, "box");
  const inner = deeper(printer, { dot: `${box}.v` });
  return `$reduce(${stream(left, printer)}, function($a, ${box}) { $append($a, ${stream(right, inner)}) }, [])`;
}

function joined(streams: readonly string[]): string {
  if (streams.length === 0) return "[]";
  return streams.reduce((all, next) => `$append(${all}, ${next})`);
}

/** Members and indexes only: at most one node. */
const isChain = (segments: readonly Segment[]): boolean =>
  segments.every(
    ({ descend, selectors: [selector, ...more] }) =>
      !descend && more.length === 0 && (selector?.kind === "name" || selector?.kind === "index"),
  );

/** Names that every JavaScript object seems to have: whether a value has such a member has to be asked in another way. */
const inherited = new Set(Object.getOwnPropertyNames(Object.prototype));

function chain(source: string, segments: readonly Segment[], printer: Printer): string {
  const names = segments.map(({ selectors: [selector] }) =>
    selector?.kind === "name" && !inherited.has(selector.name) ? selector.name : undefined,
  );
  if (names.length > 1 && names.every((name) => name !== undefined)) {
    printer.used.add("get");
    return help(printer, "path", source, `[${names.map((name) => stringText(name!)).join(", ")}]`);
  }
  return segments.reduce((text, { selectors: [selector] }) => step(text, selector!, printer), source);
}

function step(source: string, selector: Selector, printer: Printer): string {
  if (selector.kind === "index") return help(printer, "at", source, String(selector.index));
  if (selector.kind !== "name") throw new Error("Only members and indexes are steps of a chain.");
  return help(printer, inherited.has(selector.name) ? "member" : "get", source, stringText(selector.name));
}

/** The nodes of a query, segment by segment. */
function nodes({ source, segments }: Query, printer: Printer): string {
  const lead = segments.findIndex((segment) => !isChain([segment]));
  const head: Expression = lead === 0 ? source : { kind: "query", source, segments: segments.slice(0, lead < 0 ? segments.length : lead) };
  const rest = lead < 0 ? [] : segments.slice(lead);
  return rest.reduce((text, segment) => applied(text, segment, printer), stream(head, printer));
}

function applied(source: string, { descend, selectors }: Segment, printer: Printer): string {
  if (descend) printer.used.add("items");
  const from = descend ? help(printer, "descend", source) : source;
  const single = /^\[\{"v": (\$[A-Za-z_0-9.]+)\}\]$/.exec(from);
  if (single) return joined(selectors.map((selector) => selected(single[1]!, selector, printer)));
  const box = local(printer, "node");
  const inner = deeper(printer);
  return `$reduce(${from}, function($a, ${box}) { $append($a, ${joined(selectors.map((selector) => selected(`${box}.v`, selector, inner)))}) }, [])`;
}

/** What a selector selects in one value, as a stream. */
function selected(source: string, selector: Selector, printer: Printer): string {
  switch (selector.kind) {
    case "name":
    case "index":
      return `[${help(printer, "box", step(source, selector, printer))}]`;
    case "wildcard":
      return help(printer, "items", source);
    case "slice":
      if ((selector.step ?? 1) !== 1) refuse("a slice with a step", { kind: "identity" });
      return help(printer, "slice", source, String(selector.start ?? 0), String(selector.end ?? null));
    case "filter": {
      const box = local(printer, "item");
      const inner = deeper(printer, { dot: `${box}.v` });
      const holds =
        factsOf(selector.condition).type === "boolean"
          ? condition(selector.condition, inner)
          : `(${value(selector.condition, inner)} = true)`;
      return `[$map(${help(printer, "items", source)}, function(${box}) { ${holds} ? ${box} })]`;
    }
    default:
      return assertNever(selector);
  }
}
