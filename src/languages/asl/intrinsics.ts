import { expressionDiagnostic } from "../../diagnostics/data.ts";
import { type Expression, literal } from "../../expressions/index.ts";
import { didYouMean, truncate } from "../../text/messages.ts";
import { type Argument, type IntrinsicFunction, intrinsicFunctions } from "./intrinsic-functions.ts";
import { type PathRoots, type PathText, readPath } from "./paths.ts";
import { reportComputed, reportUnreadable } from "./placeholders.ts";

/** Parses a call of an intrinsic function; reports errors and returns undefined. */
export function readIntrinsic(roots: PathRoots, source: PathText): Expression | undefined {
  const { context } = roots.writer;
  try {
    const cursor: Cursor = { roots, source, offset: 0, strings: [] };
    skipSpace(cursor);
    const value = readCall(cursor, 1);
    skipSpace(cursor);
    if (cursor.offset < source.text.length) fail(cursor, "The text continues after the call.");
    for (const { from, to } of cursor.strings)
      reportComputed(
        { text: source.text.slice(from, to), spanAt: (a, b) => source.spanAt(from + a, from + b) },
        context.report,
      );
    return value;
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    const { from, to, message, hint, category } = fault;
    if (!fault.isReported && !reportUnreadable(source, context.report))
      context.report(expressionDiagnostic(source.spanAt(from, to), { category, message, hint }, "condition"));
    return undefined;
  }
}

const maxDepth = 10;

interface Cursor {
  readonly roots: PathRoots;
  readonly source: PathText;
  offset: number;
  /** The places of the strings. */
  readonly strings: { readonly from: number; readonly to: number }[];
}

interface FaultDetails {
  readonly from: number;
  readonly to: number;
  readonly hint?: string | undefined;
  readonly category?: "syntax" | "unsupported" | "limit" | undefined;
  readonly isReported?: boolean | undefined;
}

class Fault extends Error {
  readonly from: number;
  readonly to: number;
  readonly hint: string | undefined;
  readonly category: "syntax" | "unsupported" | "limit";
  readonly isReported: boolean;

  constructor(message: string, { from, to, hint, category = "syntax", isReported = false }: FaultDetails) {
    super(message);
    this.from = from;
    this.to = to;
    this.hint = hint;
    this.category = category;
    this.isReported = isReported;
  }
}

function fail(cursor: Cursor, message: string, details: Partial<FaultDetails> = {}): never {
  const from = details.from ?? Math.min(cursor.offset, Math.max(0, cursor.source.text.length - 1));
  throw new Fault(message, { ...details, from, to: details.to ?? from + 1 });
}

function match(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.offset;
  const [found] = pattern.exec(cursor.source.text) ?? [];
  if (found !== undefined) cursor.offset += found.length;
  return found;
}

const skipSpace = (cursor: Cursor): void => void match(cursor, /\s*/y);

function readCall(cursor: Cursor, depth: number): Expression {
  const from = cursor.offset;
  if (depth > maxDepth)
    fail(cursor, `Calls are nested more than ${maxDepth} deep.`, { category: "limit", from, to: from + 1 });
  const name = match(cursor, /[A-Za-z_][\w.]*/y);
  if (name === undefined) fail(cursor, "An intrinsic function is missing here.", { hint: "Write `States.…(…)`." });
  const called = intrinsicFunctions.get(name);
  const to = cursor.offset;
  if (!called) {
    const hint = didYouMean(name, intrinsicFunctions.keys());
    fail(cursor, `Unknown intrinsic function \`${truncate(name)}\`.`, { from, to, hint });
  }
  skipSpace(cursor);
  if (match(cursor, /\(/y) === undefined) fail(cursor, `A \`(\` is missing after \`${name}\`.`);
  const args = readArguments(cursor, depth);
  checkCount(cursor, { name, called, args }, { from, to: cursor.offset });
  const value = called.make(args, cursor.roots);
  if ("refusal" in value)
    fail(cursor, value.refusal, { from, to: cursor.offset, category: value.category, hint: value.hint });
  return value;
}

function readArguments(cursor: Cursor, depth: number): readonly Argument[] {
  const args: Argument[] = [];
  skipSpace(cursor);
  if (match(cursor, /\)/y) !== undefined) return args;
  for (;;) {
    skipSpace(cursor);
    args.push(readArgument(cursor, depth));
    skipSpace(cursor);
    if (match(cursor, /\)/y) !== undefined) return args;
    if (match(cursor, /,/y) === undefined) fail(cursor, "A `,` or `)` is missing here.");
  }
}

function checkCount(
  cursor: Cursor,
  {
    name,
    called,
    args,
  }: { readonly name: string; readonly called: IntrinsicFunction; readonly args: readonly Argument[] },
  place: { readonly from: number; readonly to: number },
): void {
  const { least, most = Number.POSITIVE_INFINITY } = called;
  if (args.length >= least && args.length <= most) return;
  const wanted =
    least === most ? String(least) : most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} or ${most}`;
  fail(cursor, `\`${name}\` takes ${wanted} argument${wanted === "1" ? "" : "s"}, not ${args.length}.`, place);
}

function readArgument(cursor: Cursor, depth: number): Argument {
  const { text } = cursor.source;
  const next = text[cursor.offset];
  if (next === "'") return readText(cursor);
  if (next === "$") return { value: readPathArgument(cursor) };
  const number = match(cursor, /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y);
  if (number !== undefined) return { value: literal(Number(number)) };
  const word = match(cursor, /(?:null|true|false)(?![\w.])/y);
  if (word !== undefined) return { value: literal(JSON.parse(word) as null | boolean) };
  return { value: readCall(cursor, depth + 1) };
}

/** A string in single quotes, and its pieces between the `{}` that are not escaped. */
function readText(cursor: Cursor): Argument {
  const from = cursor.offset;
  const { text } = cursor.source;
  const pieces = [""];
  const add = (piece: string): void => {
    pieces[pieces.length - 1] += piece;
  };
  let whole = "";
  for (let i = from + 1; i < text.length; i++) {
    const each = text[i]!;
    if (each === "'") {
      cursor.offset = i + 1;
      cursor.strings.push({ from, to: i + 1 });
      return { value: literal(whole), pieces };
    }
    const isEscaped = each === "\\" && i + 1 < text.length && "'{}\\".includes(text[i + 1]!);
    if (each === "{" && text[i + 1] === "}") {
      whole += "{}";
      pieces.push("");
      i += 1;
    } else {
      const meant = isEscaped ? text[++i]! : each;
      whole += meant;
      add(meant);
    }
  }
  return fail(cursor, "This text is not closed.", { from, to: text.length, hint: "End it with `'`." });
}

/** A path ends at a comma or parenthesis outside of brackets. */
function readPathArgument(cursor: Cursor): Expression {
  const from = cursor.offset;
  const { text } = cursor.source;
  let [depth, end, quote] = [0, from, ""];
  for (; end < text.length; end++) {
    const each = text[end]!;
    if (quote !== "") {
      if (each === "\\") end += 1;
      else if (each === quote) quote = "";
    } else if (depth > 0 && (each === "'" || each === '"')) quote = each;
    else if ("[(".includes(each)) depth += 1;
    else if (depth === 0 && (each === "," || each === ")")) break;
    else if ("])".includes(each)) depth -= 1;
  }
  const part = text.slice(from, end).trimEnd();
  cursor.offset = end;
  const { spanAt } = cursor.source;
  const path = readPath(cursor.roots, { text: part, spanAt: (a, b) => spanAt(from + a, from + b) });
  return path?.value ?? fail(cursor, "", { from, to: end, isReported: true });
}
