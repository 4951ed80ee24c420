import { didYouMean } from "../../../text/suggest.ts";
import type { Expression } from "../../core/ast.ts";
import { call } from "../../core/build.ts";
import { isFault } from "../fault.ts";
import { nameOf, type PlaceOf, parseJsonPath } from "../jsonpath/jsonpath.ts";
import type { BooleanEnvironment } from "./boolean.ts";
import { type ConditionLanguage, onlyIn } from "./languages.ts";
import { refuseCall } from "./names.ts";
import { asValue, type Operand } from "./operands.ts";
import { isOperator } from "./operators.ts";
import { accept, advance, expect, type Parser, refuse, shown } from "./parser.ts";
import { readOperand, type Warn } from "./read-operand.ts";
import type { Token } from "./tokens.ts";

/** Reads what follows the name of a function; signals a fault for one that conditions do not have. */
export function readCall(parser: Parser, name: Token, environment: BooleanEnvironment, warn: Warn): Operand {
  if (!accept(parser, "(")) return readEmptyWord(parser, name, environment, warn);
  const known = functions.find((one) => one.name.toLowerCase() === name.text.toLowerCase());
  if (!known || !isHad(known, parser, environment)) {
    const names = functions.filter((one) => isHad(one, parser, environment)).map((one) => one.name);
    const place = { from: name.from, to: name.to };
    return refuseCall(parser, place, known?.language ? onlyIn(known.language) : didYouMean(name.text, names));
  }
  const read = known.read(parser, environment, warn);
  expect(parser, ")");
  return { ...read, from: name.from, to: parser.end };
}

/** Whether a name, which has been passed, is JEXL's `empty x`. */
export const isEmptyWord = ({ token }: Parser, name: Token, environment: BooleanEnvironment): boolean =>
  name.text.toLowerCase() === "empty" && beginsOperand(token) && !environment.identifier?.(name.text);

const beginsOperand = (token: Token): boolean =>
  ["path", "text", "number"].includes(token.kind) || (token.kind === "name" && !isOperator(token));

type Read = Pick<Operand & { kind: "value" | "condition" }, "kind" | "expression">;

/** A function of conditions. */
interface ConditionFunction {
  readonly name: string;
  /** The only language that has it; absent: all. */
  readonly language?: ConditionLanguage;
  /** Reads its arguments. */
  read(parser: Parser, environment: BooleanEnvironment, warn: Warn): Read;
}

const functions: readonly ConditionFunction[] = [
  {
    name: "empty",
    read: (...reading) => ({ kind: "condition", expression: call("isEmpty", asValue(readOperand(...reading))) }),
  },
  { name: "#jsonPath", read: readJsonPathCall },
  {
    name: "has",
    language: "cel",
    read: (...reading) => ({ kind: "condition", expression: call("exists", readPlace(...reading)) }),
  },
  {
    name: "size",
    language: "cel",
    read: (...reading) => ({ kind: "value", expression: call("nodeLength", asValue(readOperand(...reading))) }),
  },
];

const isHad = ({ name, language }: ConditionFunction, parser: Parser, { data }: BooleanEnvironment): boolean =>
  name.startsWith("#") ? data !== undefined : (language ?? parser.language) === parser.language;

/** `empty x` is `empty(x)`. */
function readEmptyWord(parser: Parser, word: Token, environment: BooleanEnvironment, warn: Warn): Operand {
  if (parser.language !== "jexl") {
    refuse(
      parser,
      "unsupported",
      "`empty` without parentheses is not supported in conditions.",
      word,
      "Write `empty(…)`.",
    );
  }
  const operand = readOperand(parser, environment, warn);
  return { kind: "condition", expression: call("isEmpty", asValue(operand)), from: word.from, to: operand.to };
}

/** CEL's `has` takes the member of something. */
function readPlace(parser: Parser, environment: BooleanEnvironment, warn: Warn): Expression {
  const operand = readOperand(parser, environment, warn);
  const expression = asValue(operand);
  const last = expression.kind === "query" ? expression.segments.at(-1) : undefined;
  if (last && !last.descend && nameOf(last) !== undefined) return expression;
  return refuse(parser, "syntax", "`has` asks for a member, as in `has($.order.id)`.", operand);
}

function readJsonPathCall(parser: Parser, { data, placeOf }: BooleanEnvironment): Read {
  const subject = parser.token;
  if (subject.kind !== "name" || !/^state(?:output)?data$/i.test(subject.text)) {
    const place = subject.kind === "end" ? subject : { from: subject.from, to: Math.max(subject.to, subject.from + 1) };
    refuse(parser, "unsupported", "`#jsonPath` looks only into `stateData` or `stateOutputData`.", place);
  }
  advance(parser);
  expect(parser, ",");
  if (parser.token.kind !== "text") refuse(parser, "syntax", `A path in quotes is missing before ${shown(parser)}.`);
  return { kind: "value", expression: pathIn(parser, advance(parser), data!, placeOf) };
}

/** The path that a text says; its faults are shown at their places as long as no character of the text is written as two. */
function pathIn(parser: Parser, { text, from, to }: Token, data: Expression, placeOf: PlaceOf | undefined): Expression {
  const exact = to - from === text.length + 2;
  const path = parseJsonPath(text, data, {
    placeOf: exact && placeOf ? (start, end) => placeOf(from + 1 + start, from + 1 + end) : undefined,
  });
  if (!isFault(path)) return path.query;
  const place = exact ? { from: from + 1 + path.from, to: from + 1 + Math.max(path.to, path.from + 1) } : { from, to };
  return refuse(parser, path.fault, path.message, place, path.hint);
}
