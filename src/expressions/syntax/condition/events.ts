import { didYouMean } from "../../../text/messages.ts";
import { foldBalanced } from "../../core/build.ts";
import {
  match,
  maxExpressionLength,
  type ParseError,
  ParseErrorSignal,
  type ParseResult,
  runParser,
} from "../cursor.ts";
import { advance, describeNext, failAt, isNext, moveTo, type Range } from "../token-stream.ts";
import { truncateToken } from "./lexer.ts";
import { type ConditionOperator, type EventParser, type Grammar, isOperator, parserOf, readAll } from "./parser.ts";
import type { ParseWarning } from "./reader.ts";
import { memberName } from "./tokens.ts";

/** A boolean expression over events that have arrived. */
export type EventExpression =
  | EventName
  | (Range & { readonly kind: "and" | "or"; readonly items: readonly EventExpression[] })
  | (Range & { readonly kind: "not"; readonly item: EventExpression });

/**
 * Parses event names joined by `and`, `or`, `not`, `&&`, `||`, `!` and parentheses; `not` binds tightest, then `and`.
 * `name eq 'X'` means `X`, with a warning. A source text that is an event name is that event, whatever characters it
 * contains.
 */
export function parseEvents(text: string, { names }: EventNames): ParseResult<ParsedEvents> {
  return runParser(() => {
    const warnings: ParseWarning[] = [];
    const name = text.length <= maxExpressionLength ? text.trim() : "";
    if (names.has(name)) {
      const from = text.indexOf(name);
      return { expression: { kind: "event", name, from, to: from + name.length }, warnings };
    }
    const grammar = createGrammar(names, (warning) => warnings.push(warning));
    return { expression: readAll(parserOf(text), grammar), warnings };
  });
}

/** Events that must and must not have arrived, each listed once. */
export interface EventAlternative {
  readonly all: readonly EventName[];
  readonly none: readonly EventName[];
}

/**
 * Converts to disjunctive normal form, in source order (the first satisfied alternative wins), without contradictions
 * and implied alternatives.
 *
 * Faults: an alternative without a required event (`not A`); no satisfiable alternative (`A and not A`); too many
 * alternatives.
 */
export function alternativesOf(expression: EventExpression): ParseResult<readonly EventAlternative[]> {
  return runParser(() => {
    const work: WorkBudget = { left: maxWork, from: expression.from, to: expression.to };
    const terms = toConjunctions(expression, false, work);
    if (terms.length === 0) rejectExpression("syntax", "No combination of events can satisfy this.", work);
    return terms.map(alternativeOf);
  });
}

interface EventName extends Range {
  readonly kind: "event";
  readonly name: string;
}

interface ParsedEvents {
  readonly expression: EventExpression;
  readonly warnings: readonly ParseWarning[];
}

interface EventNames {
  readonly names: ReadonlySet<string>;
}

/** A word may turn out to be `name` in a comparison. */
type EventOperand = EventExpression | (Range & { readonly kind: "word"; readonly text: string });

const subject = "event expressions";

function createGrammar(
  names: ReadonlySet<string>,
  warn: (warning: ParseWarning) => void,
): Grammar<EventOperand, EventExpression> {
  const whole = (parser: EventParser, part: EventOperand): EventExpression =>
    part.kind === "word" ? resolveEvent(parser, names, part.text, part) : part;
  return {
    subject,
    joiningHint: "Join events by `and` or `or`.",
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
        message: `\`${truncateToken(text)}\` is read as the event \`${truncateToken(name.name)}\`; write only its name.`,
      });
      return { ...resolveEvent(parser, names, name.name, name), ...place };
    },
  };
}

/** A name may contain dots without spaces around them. */
function readWord(parser: EventParser, names: ReadonlySet<string>): EventOperand {
  const { kind, text, from } = parser.token;
  if (kind !== "name" || (isOperator(parser.token) && !names.has(text))) {
    const hint = kind === "text" ? "Write event names without quotes." : undefined;
    return failAt(parser, "syntax", `An event name is missing before ${describeNext(parser)}.`, undefined, hint);
  }
  const { cursor } = parser;
  advance(parser);
  while (isNext(parser, ".") && parser.token.from === parser.end) {
    cursor.offset = parser.token.to;
    if (match(cursor, memberName) === undefined) failAt(parser, "syntax", "A name is missing after `.`.");
    moveTo(parser, cursor.offset);
  }
  if (isNext(parser, "("))
    failAt(parser, "unsupported", `Functions are not supported in ${subject}.`, { from, to: parser.end });
  return { kind: "word", text: cursor.text.slice(from, parser.end), from, to: parser.end };
}

function resolveEvent(parser: EventParser, names: ReadonlySet<string>, name: string, { from, to }: Range): EventName {
  if (names.has(name)) return { kind: "event", name, from, to };
  return failAt(parser, "unknown", `Unknown event \`${truncateToken(name)}\`.`, { from, to }, didYouMean(name, names));
}

/** The position excludes the quotes if the string has no escapes. */
function readComparison(
  parser: EventParser,
  left: EventOperand,
  operator: ConditionOperator,
  sign: Range,
): { readonly name: EventName; readonly text: string } {
  const compared = operator.kind === "comparison" && operator.name === "==";
  if (!compared || left.kind !== "word" || left.text.toLowerCase() !== "name") {
    const written = truncateToken(parser.cursor.text.slice(sign.from, sign.to));
    const hint = "Write only the event's name, or `name eq '…'`.";
    return failAt(parser, "unsupported", `The operator \`${written}\` is not supported in ${subject}.`, sign, hint);
  }
  if (parser.token.kind !== "text")
    return failAt(parser, "syntax", `An event name in quotes is missing before ${describeNext(parser)}.`);
  const { text, from, to } = advance(parser);
  const inner = to - from === text.length + 2 ? { from: from + 1, to: to - 1 } : { from, to };
  return { name: { kind: "event", name: text, ...inner }, text: parser.cursor.text.slice(left.from, to) };
}

const maxAlternatives = 1_000;

type Conjunction = ReadonlyMap<string, EventLiteral>;

interface EventLiteral {
  readonly event: EventName;
  readonly negated: boolean;
}

interface WorkBudget {
  left: number;
  readonly from: number;
  readonly to: number;
}

const maxWork = 5_000_000;

function alternativeOf(term: Conjunction): EventAlternative {
  const literals = [...term.values()];
  const [all, none] = [false, true].map((sign) =>
    literals.filter(({ negated }) => negated === sign).map(({ event }) => event),
  ) as [EventName[], EventName[]];
  const [first] = none;
  if (all.length === 0 && first) {
    const hint = `Combine it with a required event by \`and\`: \`… and not ${first.name}\`.`;
    rejectExpression("unsupported", `\`not ${first.name}\` waits for no event.`, first, hint);
  }
  return { all, none };
}

function toConjunctions(expression: EventExpression, negated: boolean, work: WorkBudget): readonly Conjunction[] {
  switch (expression.kind) {
    case "event":
      return [new Map([[expression.name, { event: expression, negated }]])];
    case "not":
      return toConjunctions(expression.item, !negated, work);
    default: {
      const parts = expression.items.map((item) => toConjunctions(item, negated, work));
      const isUnion = (expression.kind === "or") !== negated;
      return (
        foldBalanced(parts, (left, right) =>
          removeImplied(isUnion ? [...left, ...right] : conjoin(left, right, work), work),
        ) ?? []
      );
    }
  }
}

function conjoin(
  left: readonly Conjunction[],
  right: readonly Conjunction[],
  work: WorkBudget,
): readonly Conjunction[] {
  const joined: Conjunction[] = [];
  for (const a of left) {
    for (const b of right) {
      spend(work, a.size + b.size);
      const contradicts = [...b].some(([name, { negated }]) => a.has(name) && a.get(name)!.negated !== negated);
      if (!contradicts) joined.push(new Map([...a, ...[...b].filter(([name]) => !a.has(name))]));
    }
  }
  return joined;
}

function removeImplied(terms: readonly Conjunction[], work: WorkBudget): readonly Conjunction[] {
  const kept: Conjunction[] = [];
  for (const term of terms) {
    if (!kept.some((earlier) => contains(term, earlier, work))) kept.push(term);
    if (kept.length > maxAlternatives) rejectSize(work);
  }
  return kept;
}

function contains(term: Conjunction, other: Conjunction, work: WorkBudget): boolean {
  spend(work, 1);
  if (other.size > term.size) return false;
  for (const [name, { negated }] of other) {
    spend(work, 1);
    if (term.get(name)?.negated !== negated) return false;
  }
  return true;
}

function spend(work: WorkBudget, effort: number): void {
  work.left -= effort;
  if (work.left < 0) rejectSize(work);
}

function rejectSize(work: WorkBudget): never {
  const message = `This expands to more than ${maxAlternatives} combinations of events, or takes too long to expand.`;
  return rejectExpression("limit", message, work);
}

function rejectExpression(
  category: ParseError["category"],
  message: string,
  { from, to }: Omit<WorkBudget, "left">,
  hint?: string,
): never {
  throw new ParseErrorSignal({ category, from, to, message, hint });
}
