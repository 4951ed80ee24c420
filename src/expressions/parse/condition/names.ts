import { didYouMean } from "../../../text/suggest.ts";
import type { Expression, Segment } from "../../core/ast.ts";
import { query } from "../../core/build.ts";
import { match, skipSpace } from "../cursor.ts";
import type { BooleanEnvironment } from "./boolean.ts";
import { isOperator } from "./operators.ts";
import { advance, clip, expect, isSign, moveOn, type Parser, refuse, shown } from "./parser.ts";
import type { Part } from "./pratt.ts";
import { memberName, type Token } from "./tokens.ts";

/** What a name and the members that follow it stand for: `error.name`, `error['name']`, `list[0].id`. */
export function readName(parser: Parser, name: Token, environment: BooleanEnvironment): Expression {
  const value = name.kind === "name" ? environment.identifier?.(name.text) : undefined;
  if (!value) return refuseName(parser, name, environment);
  const segments: Segment[] = [];
  for (;;) {
    if (isSign(parser, ".")) segments.push(readMember(parser));
    else if (isSign(parser, "[")) segments.push(readElement(parser));
    else break;
  }
  if (isSign(parser, "(")) refuseCall(parser, { from: name.from, to: parser.end });
  return query(value, segments);
}

/** Signals a fault for a call of what is not a function. */
export function refuseCall(parser: Parser, name: Part, hint?: string): never {
  const written = clip(parser.cursor.text.slice(name.from, name.to));
  return refuse(parser, "unsupported", `\`${written}\` is not supported in conditions.`, name, hint);
}

function refuseName(parser: Parser, name: Token, { identifiers = [], root }: BooleanEnvironment): never {
  const { kind, text } = name;
  if (kind === "variable")
    return refuse(parser, "unsupported", `\`${clip(text)}\` is not supported in conditions.`, name);
  if (isOperator(name))
    return refuse(parser, "syntax", `A path, a name or a value is missing before \`${text}\`.`, name);
  const hint =
    didYouMean(text, identifiers) ?? (root ? `A member of the data is written \`$.${text.slice(0, 60)}\`.` : undefined);
  return refuse(parser, "unsupported", `\`${clip(text)}\` is no name that has a meaning here.`, name, hint);
}

function readMember(parser: Parser): Segment {
  const { cursor, token } = parser;
  cursor.offset = token.to;
  skipSpace(cursor);
  const name = match(cursor, memberName);
  if (name === undefined) refuse(parser, "syntax", "A name is missing beside `.`.");
  moveOn(parser, cursor.offset);
  return step({ kind: "name", name });
}

function readElement(parser: Parser): Segment {
  advance(parser);
  const { kind, text } = parser.token;
  const index = kind === "number" && /^\d+$/.test(text) ? Number(text) : undefined;
  if (kind !== "text" && !(index !== undefined && Number.isSafeInteger(index))) {
    return refuse(parser, "syntax", `A name in quotes or an index is missing before ${shown(parser)}.`);
  }
  advance(parser);
  expect(parser, "]");
  return step(index === undefined ? { kind: "name", name: text } : { kind: "index", index });
}

const step = (selector: Segment["selectors"][number]): Segment => ({ descend: false, selectors: [selector] });
