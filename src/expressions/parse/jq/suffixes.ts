import { clip } from "../../../text/clip.ts";
import { accept, advance, expectAfterQuery, isNext, type Parser, shown, signal, signalAt } from "./parser.ts";
import { readQuery } from "./query.ts";
import { readString } from "./strings.ts";
import type { Index, Iteration, Jq, Placed, Slice } from "./syntax.ts";

/** Reads one more thing behind a term that began at `start`; nothing if there is none. */
export function readSuffix(parser: Parser, target: Jq, start: number): Jq | undefined {
  if (parser.token.kind === "field") return readField(parser, target, start);
  if (isNext(parser, "[")) return readBrackets(parser, target, start);
  if (accept(parser, "?")) return { kind: "try", body: target, handler: undefined, start, end: parser.end };
  const dot = parser.token;
  if (!accept(parser, ".")) return undefined;
  if (!isNext(parser, "[")) return readNamed(parser, target, start);
  const access = readBrackets(parser, target, start);
  if (access.kind === "slice") signalAt(dot.start, dot.end, "A slice has no `.` before its `[`.", "Leave out the `.`.");
  return access;
}

/** Reads `.name`. */
export function readField(parser: Parser, target: Jq, start: number): Index {
  const { text, start: dot, end } = advance(parser);
  return {
    kind: "index",
    target,
    key: { kind: "string", value: text, start: dot + 1, end },
    ...readOptional(parser, start),
  };
}

/** Reads the string behind a `.` that has been passed. */
export function readNamed(parser: Parser, target: Jq, start: number): Index {
  const format = parser.token.kind === "format" ? advance(parser) : undefined;
  if (parser.token.kind !== "string")
    signal(parser, `The name of a member is missing before ${shown(parser)}.`, memberHint(parser));
  return { kind: "index", target, key: readString(parser, format), ...readOptional(parser, start) };
}

function memberHint(parser: Parser): string | undefined {
  const { kind, text } = parser.token;
  if (kind === "name") return `Write \`.${clip(text)}\` without space.`;
  return kind === "number" || kind === "variable"
    ? `Write \`.[${kind === "variable" ? "$" : ""}${clip(text)}]\`.`
    : undefined;
}

function readBrackets(parser: Parser, target: Jq, start: number): Index | Slice | Iteration {
  advance(parser);
  if (accept(parser, "]")) return { kind: "iteration", target, ...readOptional(parser, start) };
  const from = isNext(parser, ":") ? undefined : readQuery(parser);
  if (from !== undefined && !isNext(parser, ":")) {
    expectAfterQuery(parser, "]");
    return { kind: "index", target, key: from, ...readOptional(parser, start) };
  }
  advance(parser);
  if (from === undefined && isNext(parser, "]"))
    signal(parser, "A slice needs one of its bounds.", "Write `.[]` for all elements.");
  const upTo = isNext(parser, "]") ? undefined : readQuery(parser);
  expectAfterQuery(parser, "]");
  return { kind: "slice", target, from, upTo, ...readOptional(parser, start) };
}

function readOptional(parser: Parser, start: number): Placed & { readonly optional: boolean } {
  const optional = accept(parser, "?");
  return { optional, start, end: parser.end };
}
