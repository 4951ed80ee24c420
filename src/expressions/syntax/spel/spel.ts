import { balanced } from "../../core/build.ts";
import { fixed, isEmpty, isIn, javaMethods, matches, size, testRule } from "../condition/functions.ts";
import { commonInfix } from "../condition/infix.ts";
import { readNumberLike } from "../condition/lexer.ts";
import { compareOperands, type Operand } from "../condition/operand.ts";
import { parseQuotedPath } from "../condition/primary.ts";
import {
  type CallRule,
  type ConditionReader,
  type InfixRule,
  type LanguageRules,
  precedences,
  rejectConstruct,
} from "../condition/reader.ts";
import { readQuoted } from "../condition/strings.ts";
import { advance, expect, failAt, moveTo } from "../token-stream.ts";
import { readSelection } from "./collections.ts";

/**
 * The Spring Expression Language: <https://docs.spring.io/spring-framework/reference/core/expressions.html>. Words are
 * case-insensitive; a backslash in a string is a character.
 */
export const spel: LanguageRules = {
  title: "SpEL",
  infix: new Map<string, InfixRule>([
    ...commonInfix,
    ["div", commonInfix.get("/")!],
    ["mod", commonInfix.get("%")!],
    ["matches", testRule(matches(true))],
    ["between", testRule(isBetween)],
    ["in", testRule(isIn)],
    ["?:", { kind: "default", power: precedences.choice }],
  ]),
  methods: javaMethods,
  functions: new Map<string, CallRule>([
    ["#jsonPath", { kind: "macro", read: readJsonPathCall }],
    ["empty", fixed(1, isEmpty)],
    ["size", fixed(1, size)],
  ]),
  lists: "[{",
  defaulted: [null, ""],
  concatenates: true,
  excluded: new Map([
    ["T", "The type reference `T(…)` is"],
    ["new", "The constructor `new` is"],
    ["@", "A bean reference with `@` is"],
    ["instanceof", "`instanceof` is"],
    ["^", "The power operator `^` is"],
    ["[", "This use of `[` is"],
  ]),
  readString: (cursor) => readQuoted(cursor, { backslash: "literal" }),
  readNumber: (cursor) =>
    readNumberLike(cursor, /^(?:0[xX][\da-fA-F]+|(?:0|[1-9]\d*))[lL]?$|^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?[fFdD]$/),
  readPrimary: readVariable,
  readPostfix: readSelection,
};

/** `x between {a, b}`: both bounds included. */
function isBetween([value, bounds]: readonly Operand[], reader: ConditionReader) {
  if (bounds!.kind !== "list" || bounds!.items.length !== 2)
    return failAt(reader, "syntax", "`between` takes a list of two bounds, as in `{1, 10}`.", bounds);
  const [least, most] = bounds!.items as readonly [Operand, Operand];
  const within = [compareOperands(value!, ">=", least), compareOperands(value!, "<=", most)];
  return { kind: "condition", expression: balanced("and", within) } as const;
}

/** `#root` is the data, `#this` the element of a selection or projection. */
function readVariable(reader: ConditionReader): Operand | undefined {
  const { kind, text, from } = reader.token;
  const name = kind === "variable" ? /^#(root|this)(?=\.|$)/.exec(text)?.[1] : undefined;
  if (name === undefined) return undefined;
  const { self, scope } = reader;
  const expression = name === "root" ? scope.root : self;
  if (!expression) return failAt(reader, "unsupported", "Paths are not supported here.");
  moveTo(reader, from + 1 + name.length);
  return { kind: "member", expression, from, to: reader.end };
}

/** `#jsonPath(#root, 'path')`, also with the variables of Kogito. */
function readJsonPathCall(reader: ConditionReader) {
  const { data } = reader.scope;
  const { kind, text, from, to } = reader.token;
  const place = kind === "end" ? reader.token : { from, to: Math.max(to, from + 1) };
  if (!data) return rejectConstruct(reader, "`#jsonPath` is", place);
  if (!/^(?:#root|state(?:output)?data)$/i.test(text)) {
    const message = "The first argument of `#jsonPath` must be `#root`, `stateData` or `stateOutputData`.";
    failAt(reader, "unsupported", message, place);
  }
  advance(reader);
  expect(reader, ",");
  const expression = parseQuotedPath(reader, data);
  expect(reader, ")");
  return { kind: "path", expression } as const;
}
