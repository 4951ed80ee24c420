import { allNames, type JsExpression as Code } from "../../../js-ast/index.ts";
import { canFail, effectsOf } from "../../analysis/effects.ts";
import type { DialectNames, DialectProgram } from "../../core/ast.ts";
import { runtimeNames } from "../runtime.ts";
import { camelCase, reservedWords, wordOf } from "../words.ts";
import { writeOne } from "./write.ts";
import { type PrintedExpression, printedExpression, type Scope, unguarded } from "./written.ts";

/** A program of another language in its own form, if what it reads are values that exist and may be evaluated anywhere. */
export function writeDialect(program: DialectProgram, scope: Scope): PrintedExpression | undefined {
  const printed = program.dialect.javascript?.(program);
  if (!printed || printed.reads.some(canFail)) return undefined;
  const values: PrintedExpression[] = [];
  for (const expression of printed.reads) {
    const value = writeOne(expression, unguarded(scope));
    if (!value) return undefined;
    values.push(value);
  }
  const codes = values.map(({ code }) => code);
  const code = printed.print(
    values.map(({ code: each, type, inferred }) => ({ code: each, type, inferred })),
    dialectNames(codes, scope),
  );
  const { type } = effectsOf(program);
  return printedExpression(code, { type, isPresent: type !== undefined && type !== "null" });
}

/** Names for a program that reads these values. */
export function dialectNames(values: readonly Code[], { helper, fresh }: Scope): DialectNames {
  const taken = new Set([...allNames(values), ...reservedWords]);
  return {
    helper,
    fresh(wanted) {
      if (fresh) return fresh(wordOf(wanted));
      const stem = camelCase(wanted);
      let name = stem;
      for (let i = 2; taken.has(name) || runtimeNames.has(name); i += 1) name = `${stem}${i}`;
      taken.add(name);
      return name;
    },
  };
}
