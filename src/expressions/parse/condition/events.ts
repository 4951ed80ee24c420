import { didYouMean } from "../../../text/suggest.ts";
import { match } from "../cursor.ts";
import { longestText, type Parsed, parsing } from "../fault.ts";
import { isOperator, type Operator } from "./operators.ts";
import { advance, clip, isSign, moveOn, type Parser, parserOf, refuse, shown } from "./parser.ts";
import { type Grammar, type Part, readAll } from "./pratt.ts";
import type { Loss } from "./read-operand.ts";
import { memberName } from "./tokens.ts";

/** An expression over events: an event is true once it has come. */
export type EventExpression =
  | EventName
  /** Two or more, in the order of the text. */
  | (Part & { readonly kind: "and" | "or"; readonly items: readonly EventExpression[] })
  | (Part & { readonly kind: "not"; readonly item: EventExpression });

/** The name of an event, and where it stands in the text, in UTF-16 units. */
export interface EventName extends Part {
  readonly kind: "event";
  readonly name: string;
}

/** What is read of an event expression. */
export interface ParsedEvents {
  readonly expression: EventExpression;
  /** Where the text says more than it should: `name eq 'X'` is `X`. */
  readonly warnings: readonly Loss[];
}

/** The names that an event expression can use. */
export interface EventNames {
  readonly names: ReadonlySet<string>;
}

/**
 * Parses an event expression: names of events joined by `and`, `or`, `not`, `&&`, `||`, `!` and parentheses, words in any case; `and` binds tighter
 * than `or`, `not` tightest. `name eq 'X'` is `X`, with a warning. A text that is a name as a whole is that name, whatever characters it has.
 */
export function parseEvents(text: string, { names }: EventNames): Parsed<ParsedEvents> {
  return parsing(() => {
    const warnings: Loss[] = [];
    const name = text.length <= longestText ? text.trim() : "";
    if (names.has(name)) {
      const from = text.indexOf(name);
      return { expression: { kind: "event", name, from, to: from + name.length }, warnings };
    }
    const grammar = eventsOf(names, (warning) => warnings.push(warning));
    return { expression: readAll(parserOf(text, undefined), grammar), warnings };
  });
}

/** What is read on the way: a word may yet be `name` in a comparison. */
type EventPart = EventExpression | (Part & { readonly kind: "word"; readonly text: string });

const subject = "event expressions";

function eventsOf(names: ReadonlySet<string>, warn: (warning: Loss) => void): Grammar<EventPart, EventExpression> {
  const whole = (parser: Parser, part: EventPart): EventExpression =>
    part.kind === "word" ? eventOf(parser, names, part.text, part) : part;
  return {
    subject,
    joining: "Events are joined by `and` or `or`.",
    operand: (parser) => readWord(parser, names),
    whole,
    chain: (kind, parts) => ({ kind, items: parts, from: parts[0]!.from, to: parts.at(-1)!.to }),
    negation: (part, from) => ({ kind: "not", item: part, from, to: part.to }),
    group: (parser, part, from) => ({ ...whole(parser, part), from, to: parser.end }),
    infix: (parser, left, operator, sign) => {
      const { name, text } = readComparison(parser, left, operator, sign);
      const place = { from: left.from, to: parser.end };
      warn({
        ...place,
        message: `\`${clip(text)}\` is read as the event \`${clip(name.name)}\`; its name alone says the same.`,
      });
      return { ...eventOf(parser, names, name.name, name), ...place };
    },
  };
}

/** A name may have dots in it, and then no space beside them. */
function readWord(parser: Parser, names: ReadonlySet<string>): EventPart {
  const { kind, text, from } = parser.token;
  if (kind !== "name" || (isOperator(parser.token) && !names.has(text))) {
    const hint = kind === "text" ? "Names of events are written without quotes." : undefined;
    return refuse(parser, "syntax", `The name of an event is missing before ${shown(parser)}.`, undefined, hint);
  }
  const { cursor } = parser;
  advance(parser);
  while (isSign(parser, ".") && parser.token.from === parser.end) {
    cursor.offset = parser.token.to;
    if (match(cursor, memberName) === undefined) refuse(parser, "syntax", "A name is missing beside `.`.");
    moveOn(parser, cursor.offset);
  }
  if (isSign(parser, "("))
    refuse(parser, "unsupported", `Functions are not supported in ${subject}.`, { from, to: parser.end });
  return { kind: "word", text: cursor.text.slice(from, parser.end), from, to: parser.end };
}

function eventOf(parser: Parser, names: ReadonlySet<string>, name: string, { from, to }: Part): EventName {
  if (names.has(name)) return { kind: "event", name, from, to };
  return refuse(
    parser,
    "unsupported",
    `\`${clip(name)}\` is no event that can come here.`,
    { from, to },
    didYouMean(name, names),
  );
}

/** Reads the rest of `name eq 'X'`: the name in the text without its quotes, if it has no more than them around it. */
function readComparison(
  parser: Parser,
  left: EventPart,
  operator: Operator,
  sign: Part,
): { readonly name: EventName; readonly text: string } {
  const compared = operator.kind === "comparison" && operator.name === "==";
  if (!compared || left.kind !== "word" || left.text.toLowerCase() !== "name") {
    const written = clip(parser.cursor.text.slice(sign.from, sign.to));
    const hint = "An event is written by its name alone; of comparisons only `name eq '…'` is read.";
    return refuse(parser, "unsupported", `The operator \`${written}\` is not supported in ${subject}.`, sign, hint);
  }
  if (parser.token.kind !== "text")
    return refuse(parser, "syntax", `The name of an event in quotes is missing before ${shown(parser)}.`);
  const { text, from, to } = advance(parser);
  const inner = to - from === text.length + 2 ? { from: from + 1, to: to - 1 } : { from, to };
  return { name: { kind: "event", name: text, ...inner }, text: parser.cursor.text.slice(left.from, to) };
}
