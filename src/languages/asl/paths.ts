import { expressionDiagnostic } from "../../diagnostics/data.ts";
import {
  binary,
  bind,
  call,
  childrenOf,
  collect,
  conditional,
  type Expression,
  firstOr,
  identity,
  isParseError,
  iterate,
  literal,
  member,
  object,
  parseJsonPath,
  pipe,
  query,
  recurse,
  type Segment,
  variable,
  withChildren,
} from "../../expressions/index.ts";
import { truncate } from "../../text/messages.ts";
import type { Span } from "../../text/source.ts";
import type { Writer } from "./context.ts";
import { checkContextNames, contextObject } from "./context-object.ts";
import { hiddenVariable, unknownVariable, unsupportedField } from "./diagnostics/kinds.ts";
import { runtimeError, runtimeFailure } from "./failures.ts";
import { hasPlaceholder } from "./files/intrinsics.ts";
import { respellPath } from "./path-spelling.ts";
import { reportComputed, reportUnreadable } from "./placeholders.ts";

/** What the roots of paths are. */
export interface PathRoots {
  readonly writer: Writer;
  /** The value of `$`. */
  readonly input: Expression;
  /** `Map.Item` of the context object. */
  readonly item?: { readonly index: Expression; readonly value: Expression } | undefined;
  /** `Task.Token` of the context object. */
  readonly token?: Expression | undefined;
}

/** A path in the source. */
export interface PathText {
  readonly text: string;
  /** The span of a part of the text. */
  spanAt(from: number, to: number): Span;
}

/** A path as Jayway JsonPath reads it. */
export interface Path {
  /** What it reads: one value, or an array if several are possible. It fails if a definite path finds nothing. */
  readonly value: Expression;
  /** What it finds: nothing, or values. */
  readonly found: Expression;
  readonly isDefinite: boolean;
  readonly segments: readonly Segment[];
  readonly root: "input" | "context" | "variable";
}

/** Parses a path; reports errors and returns undefined. */
export function readPath(roots: PathRoots, path: PathText): Path | undefined {
  const { context } = roots.writer;
  const [, mark = "", name = ""] = /^\s*(\$\$|\$(?=[\p{L}_])|\$)([\p{L}_][\p{L}\p{N}_]*)?/u.exec(path.text) ?? [];
  const root = mark === "$$" ? "context" : name === "" ? "input" : "variable";
  const skipped = root === "context" ? 1 : name.length;
  const start = path.text.indexOf("$") + 1;
  const { text, offsets } = respellPath(root === "input" ? path.text : `$${path.text.slice(start + skipped)}`);
  const shift = root === "input" ? 0 : start - 1 + skipped;
  const source = sourceOf(roots, root, name, path);
  const isSimple = source.kind === "variable" || source.kind === "literal";
  const inner = isSimple ? source : variable("root");
  const spanAt = (from: number, to: number): Span =>
    path.spanAt((offsets[from] ?? from) + shift, (offsets[to] ?? to) + shift);
  const parsed = parseJsonPath(text, inner, { spanAt });
  const call = /\.(\w+)\(\s*\)\s*$/.exec(path.text);
  if (call && !hasPlaceholder(path.text)) {
    const hint = call[1] === "length" ? "Write `States.ArrayLength(…)`." : "Compute it before, in a function.";
    const fault = { category: "syntax", message: "Paths of Step Functions have no functions.", hint } as const;
    context.report(expressionDiagnostic(path.spanAt(call.index + 1, path.text.trimEnd().length), fault, "path"));
    return undefined;
  }
  if (isParseError(parsed)) {
    if (reportUnreadable(path, context.report)) return undefined;
    context.report(expressionDiagnostic(spanAt(parsed.from, parsed.to), parsed, "path"));
    return undefined;
  }
  const { segments } = parsed;
  reportComputed(path, context.report);
  const span = path.spanAt(0, path.text.length);
  if (root === "context") checkContextNames(roots, namesAtStart(segments), span, "$$");
  const slice = segments.some(({ selectors }) =>
    selectors.some((each) => each.kind === "slice" && (each.step ?? 1) !== 1),
  );
  if (slice) context.report(unsupportedField(span, { what: "A slice with a step" }));
  const union = namesAtEnd(segments);
  const isDefinite = (union ? segments.slice(0, -1) : segments).every(isSingular);
  const whole = (each: Expression): Expression => (isSimple ? each : bind("root", source, each));
  const missing = runtimeFailure(`The path ${truncate(path.text)} finds nothing.`);
  const nodes = (parts: readonly Segment[]): Expression =>
    root === "context" ? contextNodes(source, parts) : whole(select(inner, parts));
  if (union && isDefinite)
    return {
      value: members(firstOr(nodes(segments.slice(0, -1)), missing), union),
      found: nodes(segments),
      isDefinite,
      segments,
      root,
    };
  const found = nodes(segments);
  const value = segments.length === 0 ? found : isDefinite ? firstOr(found, missing) : collect(found);
  return { value, found, isDefinite, segments, root };
}

function sourceOf(roots: PathRoots, root: Path["root"], name: string, path: PathText): Expression {
  if (root === "input") return roots.input;
  if (root === "context") return contextObject(roots);
  const { scope, context } = roots.writer;
  const found = scope.assigned.get(name);
  const unassigned = runtimeFailure(`The variable $${truncate(name)} has no value.`);
  if (!found) {
    const at = path.text.indexOf(name);
    if (scope.hidden?.has(name)) {
      context.report(hiddenVariable(path.spanAt(at, at + name.length), { name }));
      return unassigned;
    }
    const known = [...scope.assigned.keys()];
    context.report(unknownVariable(path.spanAt(at, at + name.length), { name, known, error: runtimeError }));
    return unassigned;
  }
  if (!found.isBoxed) return variable(found.name);
  return firstOr(query(variable(found.name), [index(0)]), unassigned);
}

/** What a path finds in the context object, without the parts that it does not read. */
function contextNodes(source: Expression, segments: readonly Segment[]): Expression {
  const [first, ...rest] = segments;
  const [selector, another] = first?.selectors ?? [];
  const isName = selector?.kind === "name" && another === undefined && !first?.descend;
  if (source.kind !== "object" || !isName) return bind("root", source, select(variable("root"), segments));
  const entry = source.entries.find(({ key }) => key.kind === "literal" && key.value === selector.name);
  return entry ? contextNodes(entry.value, rest) : iterate(literal([]));
}

/** The names with which a path begins. */
function namesAtStart(segments: readonly Segment[]): readonly string[] {
  const names: string[] = [];
  for (const { descend, selectors } of segments) {
    const [selector, another] = selectors;
    if (descend || another !== undefined || selector?.kind !== "name") break;
    names.push(selector.name);
  }
  return names;
}

const index = (at: number): Segment => ({ descend: false, selectors: [{ kind: "index", index: at }] });

const isSingular = ({ descend, selectors: [first, second] }: Segment): boolean =>
  !descend && second === undefined && (first?.kind === "name" || first?.kind === "index");

/** The names of `['a','b']` with which a path ends. */
function namesAtEnd(segments: readonly Segment[]): readonly string[] | undefined {
  const last = segments.at(-1);
  if (!last || last.descend || last.selectors.length < 2) return undefined;
  const names = last.selectors.flatMap((each) => (each.kind === "name" ? [each.name] : []));
  return names.length === last.selectors.length ? names : undefined;
}

/** An object with those members of a value that exist. */
function members(value: Expression, names: readonly string[]): Expression {
  const whole = variable("whole");
  const parts = [...new Set(names)].map((name) => {
    const found = member(whole, name);
    return conditional(call("exists", found), object([[name, firstOr(found, literal(null))]]), object([]));
  });
  return bind(
    "whole",
    value,
    parts.reduce((left, right) => binary("+", left, right)),
  );
}

/** The nodes of segments. A filter selects elements of an array, and an object itself. */
function select(source: Expression, segments: readonly Segment[]): Expression {
  const at = segments.findIndex(({ selectors }) => selectors.some(({ kind }) => kind === "filter"));
  if (at < 0) return query(source, segments);
  const { descend, selectors } = segments[at]!;
  const before = query(source, segments.slice(0, at));
  const conditions = selectors.map((each) =>
    each.kind === "filter" ? testsExistence(each.condition) : literal(false),
  );
  const [condition = literal(false)] = conditions;
  const nothing = iterate(literal([]));
  const itself = conditional(condition, identity, nothing);
  const isA = (type: string): Expression => binary("==", call("type", identity), literal(type));
  const elements: Segment = { descend: false, selectors: [{ kind: "filter", condition }] };
  const filtered = descend
    ? pipe(recurse(iterate(identity, true)), conditional(isA("object"), itself, nothing))
    : conditional(isA("array"), query(identity, [elements]), conditional(isA("object"), itself, nothing));
  return select(pipe(before, filtered), segments.slice(at + 1));
}

/** A path alone tests for existence, also of null and false. */
function testsExistence(condition: Expression): Expression {
  const parts = childrenOf(condition).map(({ expression }) => testsExistence(expression));
  const made = withChildren(condition, parts);
  return made.kind === "call" && made.name === "truthy" ? call("exists", ...made.args) : made;
}
