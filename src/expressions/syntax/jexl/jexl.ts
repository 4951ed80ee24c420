import { binary, call, conditional, firstOr, literal } from "../../core/build.ts";
import {
  conditionOf,
  containsKey,
  fixed,
  isAmong,
  isEmpty,
  isIn,
  javaMethods,
  matchesPattern,
  named,
  negatedTest,
  size,
  testRule,
} from "../condition/functions.ts";
import { commonInfix } from "../condition/infix.ts";
import { readNumberLike } from "../condition/lexer.ts";
import { type Operand, textOf, toValue } from "../condition/operand.ts";
import { readOperand } from "../condition/primary.ts";
import {
  type ApplyCall,
  type CallRule,
  type ConditionReader,
  type InfixRule,
  type LanguageRules,
  precedences,
} from "../condition/reader.ts";
import { characterOf, readQuoted } from "../condition/strings.ts";
import { type Cursor, match } from "../cursor.ts";
import { advance, nested } from "../token-stream.ts";

const sizeOrZero: ApplyCall = (...given) => ({
  kind: "value",
  expression: firstOr(size(...given).expression, literal(0)),
});

/** `x =~ y`: a match of the whole string if `y` is a string, otherwise whether `y` contains `x`. */
const isMatch: ApplyCall = ([left, right], reader, place) => {
  if (textOf(right!) !== undefined) return conditionOf(matchesPattern(reader, left!, right!, true));
  if (right!.kind === "list") return conditionOf(isAmong(reader, left!, right!.items, place));
  return isIn([left!, right!], reader, place);
};

/** A test of two strings; false for other values. */
const textTest =
  (name: "startswith" | "endswith"): ApplyCall =>
  ([left, right], reader) =>
    conditionOf(
      named(reader, "text", toValue(left!), (text) =>
        conditional(
          binary("==", call("type", text), literal("string")),
          call(name, text, toValue(right!)),
          literal(false),
        ),
      ),
    );

/** Apache Commons JEXL: <https://commons.apache.org/proper/commons-jexl/reference/syntax.html>. */
export const jexl: LanguageRules = {
  title: "JEXL",
  infix: new Map<string, InfixRule>([
    ...commonInfix,
    ["div", commonInfix.get("/")!],
    ["mod", commonInfix.get("%")!],
    ["=~", testRule(isMatch)],
    ["!~", negatedTest(isMatch)],
    ["in", testRule(isIn)],
    ["=^", testRule(textTest("startswith"))],
    ["!^", negatedTest(textTest("startswith"))],
    ["=$", testRule(textTest("endswith"))],
    ["!$", negatedTest(textTest("endswith"))],
    ["?:", { kind: "default", power: precedences.choice }],
    ["??", { kind: "coalesce", power: precedences.choice }],
  ]),
  methods: new Map<string, CallRule>([...javaMethods, ["containsKey", fixed(1, containsKey)]]),
  functions: new Map<string, CallRule>([
    ["empty", fixed(1, isEmpty)],
    ["size", fixed(1, sizeOrZero)],
  ]),
  lists: "[{",
  defaulted: [null, false, "", 0, "false"],
  concatenates: true,
  excluded: new Map([
    ["new", "The function `new` is"],
    ["->", "A lambda is"],
    ["=>", "A lambda is"],
    ["..", "The range operator `..` is"],
    [";", "A sequence of statements is"],
    ["^", "The bit operator `^` is"],
    ["~", "The bit operator `~` is"],
    ["`", "A template string is"],
    ["instanceof", "`instanceof` is"],
  ]),
  readString: (cursor) => readQuoted(cursor, jexlStrings),
  readNumber: (cursor) =>
    readNumberLike(cursor, /^(?:0[xX][\da-fA-F]+|(?:0|[1-9]\d*))[lLhH]?$|^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?[fFdDbB]$/),
  readPrimary: readWord,
};

const jexlStrings = {
  backslash: "escape",
  readEscape,
  escapes: "`\\\\`, `\\uXXXX` and the backslash before a quote",
} as const;

function readEscape(cursor: Cursor, letter: string): string | undefined {
  if (letter !== "u") return undefined;
  const pair = match(cursor, /[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}/y);
  if (pair !== undefined) return String.fromCharCode(...pair.split("\\u").map((half) => Number.parseInt(half, 16)));
  return characterOf(match(cursor, /[\da-fA-F]{4}/y), 16);
}

/** `empty x` and `size x`, without parentheses. */
function readWord(reader: ConditionReader): Operand | undefined {
  const { kind, text, from, to } = reader.token;
  const apply = kind === "name" ? words.get(text) : undefined;
  if (!apply || !startsOperand(reader.cursor.text.slice(to, to + 200))) return undefined;
  advance(reader);
  const operand = nested(reader, () => readOperand(reader), { from, to });
  return { ...apply([operand], reader, { from, to: reader.end }), from, to: reader.end };
}

const words: ReadonlyMap<string, ApplyCall> = new Map([
  ["empty", isEmpty],
  ["size", sizeOrZero],
]);

const startsOperand = (rest: string): boolean =>
  /^\s+(?:[$'"]|(?!(?:and|or|eq|ne|lt|le|gt|ge|div|mod|in)\b)[\p{L}_])/u.test(rest);
