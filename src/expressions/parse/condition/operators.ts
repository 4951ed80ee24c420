import { didYouMean } from "../../../text/suggest.ts";
import type { Comparison } from "../../builtins/relate.ts";
import { type ConditionLanguage, onlyIn } from "./languages.ts";
import { clip, type Parser, refuse, shown } from "./parser.ts";
import type { Token } from "./tokens.ts";

/**
 * An operator between two operands, and how tightly it binds. What binds as tightly as a comparison does not stand in a row. `membership`: whether
 * the left is (`negated`: is not) equal to one of a list. `choice`: `condition ? then : otherwise`.
 */
export type Operator =
  | { readonly kind: "choice"; readonly power: number }
  | { readonly kind: "chain"; readonly power: number; readonly name: "and" | "or" }
  | { readonly kind: "comparison"; readonly power: number; readonly name: Comparison }
  | {
      readonly kind: "membership";
      readonly power: number;
      readonly negated: boolean;
      readonly language: ConditionLanguage;
    };

/** How tightly operators bind. All the languages have the same order; what they disagree on is refused by the readers of operands. */
export const powers = { choice: 1, or: 2, and: 3, comparison: 4, not: 5 } as const;

const comparison = (name: Comparison): Operator => ({ kind: "comparison", power: powers.comparison, name });
const chain = (name: "and" | "or"): Operator => ({ kind: "chain", power: powers[name], name });
const membership = (language: ConditionLanguage, negated: boolean): Operator => ({
  kind: "membership",
  power: powers.comparison,
  negated,
  language,
});

const operators: ReadonlyMap<string, Operator> = new Map([
  ["?", { kind: "choice", power: powers.choice }],
  ["or", chain("or")],
  ["||", chain("or")],
  ["and", chain("and")],
  ["&&", chain("and")],
  ["eq", comparison("==")],
  ["==", comparison("==")],
  ["ne", comparison("!=")],
  ["!=", comparison("!=")],
  ["lt", comparison("<")],
  ["<", comparison("<")],
  ["le", comparison("<=")],
  ["<=", comparison("<=")],
  ["gt", comparison(">")],
  [">", comparison(">")],
  ["ge", comparison(">=")],
  [">=", comparison(">=")],
  ["in", membership("cel", false)],
  ["=~", membership("jexl", false)],
  ["!~", membership("jexl", true)],
]);

/** What is read, for messages. */
export interface Subject {
  /** In the plural. */
  readonly subject: string;
  /** What to do about a word that stands where an operator should. */
  readonly joining?: string | undefined;
}

/** The operator that comes next; undefined where an expression ends. Signals a fault for a word that is neither an operator nor can follow one. */
export function nextOperator(parser: Parser, subject: Subject): Operator | undefined {
  const { kind, text } = parser.token;
  if (kind === "end" || (kind === "sign" && terminators.has(text))) return undefined;
  if (kind !== "name" && kind !== "sign")
    return refuse(parser, "syntax", `An operator is missing before ${shown(parser)}.`);
  const operator = operators.get(text.toLowerCase());
  if (operator?.kind === "membership" && operator.language !== parser.language)
    return refuseOperator(parser, subject, onlyIn(operator.language));
  return operator ?? refuseOperator(parser, subject);
}

/** Whether a word is an operator, of whatever language. */
export const isOperator = ({ kind, text }: Token): boolean =>
  (kind === "name" || kind === "sign") && operators.has(text.toLowerCase());

/** Whether a word begins `not`. */
export const isNegation = ({ token, cursor }: Parser): boolean =>
  (token.kind === "sign" && token.text === "!") ||
  (token.kind === "name" && token.text.toLowerCase() === "not" && cursor.text.charAt(token.to) !== ".");

/** Signals a fault for an operator that has no meaning in the subject. */
function refuseOperator(parser: Parser, { subject, joining }: Subject, hint?: string): never {
  const { kind, text } = parser.token;
  if (kind === "sign" && openers.has(text)) refuse(parser, "syntax", `An operator is missing before ${shown(parser)}.`);
  const meant = mistaken.get(text);
  const message = `The operator \`${clip(text)}\` is not supported in ${subject}.`;
  if (meant !== undefined) return refuse(parser, "syntax", message, undefined, `Write \`${meant}\`.`);
  return refuse(
    parser,
    "unsupported",
    message,
    undefined,
    hint ?? (kind === "name" ? (didYouMean(text, words) ?? joining) : undefined),
  );
}

const terminators: ReadonlySet<string> = new Set([")", "]", "}", ",", ":", ";"]);
const openers: ReadonlySet<string> = new Set(["(", "[", "{", ".", "!"]);
const words: readonly string[] = ["and", "or", "eq", "ne", "lt", "le", "gt", "ge"];

/** Operators of other languages, and what to write instead. */
const mistaken: ReadonlyMap<string, string> = new Map([
  ["=", "=="],
  ["===", "=="],
  ["!==", "!="],
  ["<>", "!="],
  ["=<", "<="],
  ["=>", ">="],
  ["&", "and"],
  ["|", "or"],
]);
