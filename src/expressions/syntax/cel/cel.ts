import { call } from "../../core/build.ts";
import {
  containsText,
  endsWith,
  fixed,
  isEmpty,
  isIn,
  matches,
  resultOf,
  size,
  startsWith,
  testRule,
} from "../condition/functions.ts";
import { commonInfix } from "../condition/infix.ts";
import { readNumberLike } from "../condition/lexer.ts";
import { toValue } from "../condition/operand.ts";
import type { CallRule, InfixRule, LanguageRules } from "../condition/reader.ts";
import { macros, readHas } from "./macros.ts";
import { readCelString } from "./strings.ts";

/** The Common Expression Language: <https://github.com/google/cel-spec/blob/master/doc/langdef.md>. */
export const cel: LanguageRules = {
  title: "CEL",
  infix: new Map<string, InfixRule>([...commonInfix, ["in", testRule(isIn)]]),
  methods: new Map<string, CallRule>([
    ["startsWith", fixed(1, startsWith)],
    ["endsWith", fixed(1, endsWith)],
    ["contains", fixed(1, containsText)],
    ["matches", fixed(1, matches(false))],
    ["size", fixed(0, size)],
    ["lowerAscii", fixed(0, ([text]) => resultOf(call("ascii_downcase", toValue(text!))))],
    ["upperAscii", fixed(0, ([text]) => resultOf(call("ascii_upcase", toValue(text!))))],
    ["trim", fixed(0, ([text]) => resultOf(call("trim", toValue(text!))))],
    ...macros,
  ]),
  functions: new Map<string, CallRule>([
    ["has", { kind: "macro", read: readHas }],
    ["size", fixed(1, size)],
    ["empty", fixed(1, isEmpty)],
    ["matches", fixed(2, matches(false))],
    ["int", fixed(1, ([value]) => resultOf(call("trunc", call("tonumber", toValue(value!)))))],
    ["double", fixed(1, ([value]) => ({ ...resultOf(call("tonumber", toValue(value!))), isFloat: true }))],
    ["string", fixed(1, ([value]) => resultOf(call("tostring", toValue(value!))))],
    ["dyn", fixed(1, ([value]) => resultOf(toValue(value!)))],
  ]),
  lists: "[",
  defaulted: [],
  concatenates: false,
  excluded: new Map([
    ["{", "A map or message literal is"],
    ["timestamp", "The conversion `timestamp` is"],
    ["duration", "The conversion `duration` is"],
    ["type", "The function `type` is"],
    ["?:", "The operator `?:` is"],
  ]),
  readString: readCelString,
  readNumber: (cursor) => readNumberLike(cursor, /^(?:0x[\da-fA-F]+|(?:0|[1-9]\d*))[uU]?$/),
};
