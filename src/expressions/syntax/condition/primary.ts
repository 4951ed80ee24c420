import { didYouMean } from "../../../text/messages.ts";
import type { Expression, Segment } from "../../core/ast.ts";
import { access, bind, call, conditional, firstOr, literal, query } from "../../core/build.ts";
import { isParseError, match, roundedInteger, skipSpace } from "../cursor.ts";
import { isPathFunction } from "../jsonpath/functions.ts";
import { nameOf, parseJsonPath, readJsonPath, type SpanAt } from "../jsonpath/jsonpath.ts";
import { constantOf } from "../jsonpath/literals.ts";
import { accept, advance, describeNext, expect, failAt, isNext, moveTo, nested, type Range } from "../token-stream.ts";
import { isOperator, readAt, readGroup, readItems } from "./infix.ts";
import { truncateToken } from "./lexer.ts";
import { type Operand, toValue } from "./operand.ts";
import {
  type CallRule,
  type ConditionReader,
  countOperation,
  freshVariable,
  type OperandResult,
  precedences,
  rejectConstruct,
  subjectOf,
} from "./reader.ts";

/** Reads a path, name, call, literal or group, with its members, elements and methods. */
export function readOperand(reader: ConditionReader): Operand {
  let operand = readPrimary(reader);
  let steps: Segment[] = [];
  const selected = (): Operand => {
    if (steps.length > 0) operand = selectFrom(operand, steps, reader.end);
    steps = [];
    return operand;
  };
  for (;;) {
    const next = readPostfix(reader, selected) ?? reader.rules.readPostfix?.(reader, selected);
    if (!next) return selected();
    if ("selectors" in next) steps.push(next);
    else operand = next;
  }
}

/** A member or method may have no name of this kind. */
export const memberName = /(?:\w|(?![\p{Z}\u200b\ufeff])[\u00a0-\ud7ff\ue000-\u{10ffff}])+/uy;

/** Reads the arguments of a call after its `(`, and applies it. */
export function readCall(reader: ConditionReader, rule: CallRule, receiver: Operand | undefined, name: Range): Operand {
  countOperation(reader, name);
  const from = receiver?.from ?? name.from;
  const result = rule.kind === "macro" ? rule.read(reader, receiver, name) : applyCall(reader, rule, receiver, name);
  return { ...result, from, to: reader.end };
}

function readPrimary(reader: ConditionReader): Operand {
  const { token } = reader;
  const { from } = token;
  switch (token.kind) {
    case "text":
      advance(reader);
      return { kind: "literal", expression: literal(token.text), from, to: reader.end };
    case "number":
      return readNumber(reader, "");
    case "path":
      return { kind: "path", expression: readPath(reader), from, to: reader.end };
    case "name":
    case "variable":
      return readConstant(reader) ?? reader.rules.readPrimary?.(reader) ?? readName(reader);
    default:
      return readSign(reader);
  }
}

function readSign(reader: ConditionReader): Operand {
  const { token, rules } = reader;
  if (accept(reader, "(")) return readGroup(reader, token);
  if ((isNext(reader, "[") || isNext(reader, "{")) && rules.lists.includes(token.text)) {
    advance(reader);
    const items = readItems(reader, token.text === "[" ? "]" : "}");
    return { kind: "list", items, from: token.from, to: reader.end };
  }
  if (isNext(reader, "-")) {
    advance(reader);
    return readNumber(reader, "-", token.from);
  }
  const own = rules.readPrimary?.(reader);
  if (own) return own;
  const construct = token.kind === "sign" ? rules.excluded.get(token.text) : undefined;
  if (construct !== undefined) return rejectConstruct(reader, construct);
  return failAt(reader, "syntax", `A path, name or value is missing before ${describeNext(reader)}.`);
}

function readNumber(reader: ConditionReader, sign: "" | "-", start = reader.token.from): Operand {
  const { text, from, to } = advance(reader);
  const digits = text.replace(/^0[xX]/.test(text) ? /[lLhHuU]$/ : /[a-zA-Z]$/, "");
  const exact = Number(digits);
  const value = Math.min(Number.MAX_VALUE, exact);
  const kept = exact === value ? roundedInteger(digits, value) : String(value);
  if (kept !== undefined)
    reader.warn({ from: start, to, message: `Numbers are stored with 53 bits: this becomes ${sign}${kept}.` });
  const isFloat = /^[\d.]*(?:\.|[eE]|[fFdDbB]$)/.test(text) && !/^0[xX]/.test(text);
  const expression = literal(sign === "-" && value !== 0 ? -value : value);
  return { kind: "literal", expression, ...(isFloat ? { isFloat } : {}), from: Math.min(start, from), to };
}

function readPath(reader: ConditionReader): Expression {
  const { root, member, spanAt } = reader.scope;
  if (!root) return failAt(reader, "unsupported", "Paths are not supported here.");
  const rooted = (segments: readonly Segment[]) => {
    const [first] = segments;
    const name = first && !first.descend ? nameOf(first) : undefined;
    const source = name === undefined ? undefined : member?.(name);
    return source ? query(source, segments.slice(1)) : query(root, segments);
  };
  const { cursor, token } = reader;
  cursor.offset = token.from;
  const isMethod = (name: string) => !isPathFunction(name);
  const path = readJsonPath(cursor, rooted, { spanAt, isMethod });
  moveTo(reader, cursor.offset);
  return path;
}

/** Case-insensitive, unless a longer name starts here. */
function readConstant(reader: ConditionReader): Operand | undefined {
  const { kind, text, from, to } = reader.token;
  const constant = kind === "name" ? constantOf(text.toLowerCase()) : undefined;
  if (constant === undefined || /[.[(]/.test(reader.cursor.text.charAt(to))) return undefined;
  advance(reader);
  return { kind: "literal", expression: literal(constant), from, to };
}

function readName(reader: ConditionReader): Operand {
  const { rules } = reader;
  const name = reader.token;
  const isCall = /^\s*\(/.test(reader.cursor.text.slice(name.to, name.to + 100));
  if (isOperator(reader) && !isCall)
    return failAt(reader, "syntax", `A path, name or value is missing before \`${name.text}\`.`);
  const construct = rules.excluded.get(name.text);
  if (construct !== undefined && (isCall || name.kind === "variable" || name.text === "new"))
    return rejectConstruct(reader, construct, name);
  advance(reader);
  if (accept(reader, "(")) {
    const rule = rules.functions.get(name.text) ?? functionIgnoringCase(rules.functions, name.text);
    if (rule) return readCall(reader, rule, undefined, name);
    return rejectCall(reader, name, "function", rules.functions);
  }
  if (name.kind === "variable") return rejectConstruct(reader, `The variable \`${truncateToken(name.text)}\` is`, name);
  return { kind: "member", expression: nameExpression(reader, name), from: name.from, to: name.to };
}

const functionIgnoringCase = (functions: ReadonlyMap<string, CallRule>, name: string): CallRule | undefined =>
  [...functions].find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1];

function nameExpression(reader: ConditionReader, name: Range & { readonly text: string }): Expression {
  const { root, member, identifier, identifiers = [], spanAt } = reader.scope;
  const known = reader.resolve(name.text) ?? identifier?.(name.text);
  if (known) return known;
  const { from, to, text } = name;
  const found = member?.(text) ?? (root && query(root, [memberSegment(text, name, spanAt)]));
  if (found && identifiers.length > 0)
    reader.warn({
      from,
      to,
      message: `\`${truncateToken(text)}\` is a member.`,
      bareName: { name: text, identifiers },
    });
  if (found) return found;
  const hint = didYouMean(name.text, identifiers);
  return failAt(reader, "unknown", `Unknown name \`${truncateToken(name.text)}\`.`, name, hint);
}

/** A segment that selects a member. */
export const memberSegment = (name: string, { from, to }: Range, spanAt: SpanAt | undefined): Segment => ({
  descend: false,
  selectors: [{ kind: "name", name, ...(spanAt && to <= maxSpanOffset ? { span: spanAt(from, to) } : {}) }],
});

/** A span takes time linear in its offset. */
const maxSpanOffset = 2_000;

/** Reads a member or element, which is a segment, or a call. */
function readPostfix(reader: ConditionReader, operand: () => Operand): Segment | Operand | undefined {
  if (isNext(reader, ".")) return readDotted(reader, operand, false);
  if (isNext(reader, "?.")) return readDotted(reader, operand, true);
  if (!isNext(reader, "[") && !isNext(reader, "?[")) return undefined;
  const opener = advance(reader);
  const key = nested(reader, () => readAt(reader, precedences.choice), opener);
  expect(reader, "]");
  return readElement(reader, operand, key);
}

function readElement(reader: ConditionReader, operand: () => Operand, key: Operand): Segment | Operand {
  const constant = key.kind === "literal" && key.expression.kind === "literal" ? key.expression.value : undefined;
  if (typeof constant === "string") return memberSegment(constant, key, reader.scope.spanAt);
  if (typeof constant === "number") {
    if (!Number.isSafeInteger(constant) || constant < 0)
      return failAt(reader, "syntax", "An index is a whole number from 0 on.", key);
    return { descend: false, selectors: [{ kind: "index", index: constant }] };
  }
  countOperation(reader, key);
  const source = operand();
  const element = access(toValue(source), toValue(key), true);
  return { kind: "value", expression: firstOr(element, literal(null)), from: source.from, to: reader.end };
}

/** A member or element of a path is a path. */
function selectFrom(operand: Operand, segments: readonly Segment[], to: number): Operand {
  const kind = operand.kind === "path" ? "path" : "member";
  const source = operand.kind === "path" || operand.kind === "member" ? operand.expression : toValue(operand);
  const expression =
    source.kind === "query" ? query(source.source, [...source.segments, ...segments]) : query(source, segments);
  return { kind, expression, from: operand.from, to };
}

function readDotted(reader: ConditionReader, operand: () => Operand, isSafe: boolean): Segment | Operand {
  const { cursor, token, rules } = reader;
  cursor.offset = token.to;
  skipSpace(cursor);
  const from = cursor.offset;
  const text = match(cursor, memberName);
  if (text === undefined) failAt(reader, "syntax", `A name is missing after \`${token.text}\`.`);
  const name = { from, to: cursor.offset };
  moveTo(reader, cursor.offset);
  if (!isNext(reader, "(")) return memberSegment(text, name, reader.scope.spanAt);
  const receiver = operand();
  advance(reader);
  const rule = rules.methods.get(text);
  if (!rule) return rejectCall(reader, name, "method", rules.methods);
  return isSafe ? readSafely(reader, receiver, rule, name) : readCall(reader, rule, receiver, name);
}

/** `a?.f()`: null if `a` is null. */
function readSafely(reader: ConditionReader, operand: Operand, rule: CallRule, name: Range): Operand {
  const receiver = freshVariable(reader, "receiver");
  const { from, to } = operand;
  const result = readCall(reader, rule, { kind: "value", expression: receiver.value, from, to }, name);
  const isNull = call("compareInCondition", receiver.value, literal("=="), literal(null));
  const body = conditional(isNull, literal(null), toValue(result));
  return { kind: "value", expression: bind(receiver.name, toValue(operand), body), from, to: reader.end };
}

function rejectCall(
  reader: ConditionReader,
  name: Range,
  kind: "function" | "method",
  known: ReadonlyMap<string, CallRule>,
): never {
  const text = reader.cursor.text.slice(name.from, name.to);
  const construct = `The ${kind} \`${truncateToken(text)}\` is`;
  return rejectConstruct(reader, construct, name, didYouMean(text, [...known.keys()]));
}

function applyCall(
  reader: ConditionReader,
  { arity, apply }: Extract<CallRule, { kind: "call" }>,
  receiver: Operand | undefined,
  name: Range,
): OperandResult {
  const args = readItems(reader, ")");
  if (!arity.includes(args.length)) {
    const text = truncateToken(reader.cursor.text.slice(name.from, name.to));
    const takes = arity.join(" or ");
    const message = `\`${text}\` takes ${takes} ${takes === "1" ? "argument" : "arguments"} in ${subjectOf(reader)}.`;
    failAt(reader, "syntax", message, { from: name.from, to: reader.end });
  }
  return apply(receiver ? [receiver, ...args] : args, reader, { from: name.from, to: reader.end });
}

/** Parses the path in a string; errors have exact positions if the string has no escapes. */
export function parseQuotedPath(reader: ConditionReader, data: Expression, subject: Range = reader.token): Expression {
  if (reader.token.kind !== "text")
    failAt(reader, "syntax", `A path in quotes is missing before ${describeNext(reader)}.`, subject);
  const { text, from, to } = advance(reader);
  const { spanAt } = reader.scope;
  const exact = to - from === text.length + 2;
  const path = parseJsonPath(text, data, {
    spanAt: exact && spanAt ? (start, end) => spanAt(from + 1 + start, from + 1 + end) : undefined,
  });
  if (!isParseError(path)) return path.query;
  const place = exact ? { from: from + 1 + path.from, to: from + 1 + Math.max(path.to, path.from + 1) } : { from, to };
  return failAt(reader, path.category, path.message, place, path.hint);
}
