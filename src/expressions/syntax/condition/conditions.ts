import type { Expression } from "../../core/ast.ts";
import { cel } from "../cel/cel.ts";
import { type ParseResult, runParser } from "../cursor.ts";
import { jexl } from "../jexl/jexl.ts";
import { spel } from "../spel/spel.ts";
import { describeNext, failAt, isNext } from "../token-stream.ts";
import { readAt } from "./infix.ts";
import type { ConditionLanguage } from "./languages.ts";
import {
  type ConditionScope,
  createReader,
  type LanguageRules,
  precedences,
  toCondition,
  type Warn,
} from "./reader.ts";
import { undeclared } from "./undeclared.ts";

/**
 * Parses a condition in a language, or, without one, in what the three languages read alike. Each language has its own
 * rules, in a folder of its own; paths such as `$.a` are accepted in all of them. The result yields one boolean, or
 * fails if an operation does not apply to the types of its operands.
 */
export function parseCondition(
  text: string,
  scope: ConditionScope,
  { language, warn }: ConditionOptions = {},
): ParseResult<Expression> {
  return runParser(() => {
    const rules = language === undefined ? undeclared : languages[language];
    const reader = createReader(text, rules, scope, warn ?? (() => {}));
    const condition = toCondition(reader, readAt(reader, precedences.choice));
    if (isNext(reader, ")")) failAt(reader, "syntax", "An operator or the matching `(` is missing before `)`.");
    if (reader.token.kind !== "end") failAt(reader, "syntax", `An operator is missing before ${describeNext(reader)}.`);
    return condition;
  });
}

interface ConditionOptions {
  readonly language?: ConditionLanguage | undefined;
  readonly warn?: Warn | undefined;
}

const languages: { readonly [language in ConditionLanguage]: LanguageRules } = { spel, jexl, cel };
