import { assumption } from "../../diagnostics/migration.ts";
import type { Json, MutableJsonObject } from "../../json.ts";
import { wrapped } from "../jq-text.ts";
import type { ErrorPattern, Place } from "../model.ts";
import type { WriterContext } from "./context.ts";

/** The URI of a standard error. */
export const standardError = (name: string): string =>
  `https://open-workflow-specification.org/spec/1.0.0/errors/${name}`;

/** The standard errors that 0.8 names otherwise. */
const standardNames: ReadonlyMap<string, string> = new Map([
  ["Timeout", "timeout"],
  ["TimedOut", "timeout"],
  ["ExpressionError", "expression"],
  ["DataError", "expression"],
  ["DataMergeError", "expression"],
  ["InvalidInput", "validation"],
]);

/** Whether an error is a timeout. */
export const isTimeout = ({ name, code }: ErrorPattern): boolean => standardNames.get(code ?? name) === "timeout";

/** The members of a `catch` that select errors. */
export function selectErrors(
  context: WriterContext,
  patterns: readonly ErrorPattern[] | undefined,
  place: Place,
): MutableJsonObject {
  if (patterns === undefined) return {};
  const [only, ...others] = patterns;
  if (only && others.length === 0) {
    const filter = filterOf(context, only, place);
    if (filter) return { errors: { with: filter } };
  }
  return { when: wrapped(conditionOf(patterns, "")) };
}

/** The members of a `catch` that select the errors of a handler or retry. */
export function selectAndExclude(
  context: WriterContext,
  only: readonly ErrorPattern[] | undefined,
  except: readonly ErrorPattern[],
  place: Place,
): MutableJsonObject {
  const excluded = except.length === 0 ? {} : { exceptWhen: wrapped(conditionOf(except, "")) };
  return { ...selectErrors(context, only, place), ...excluded };
}

/** A filter that needs no expression. */
function filterOf(
  context: WriterContext,
  { name, code }: ErrorPattern,
  place: Place,
): { [key: string]: Json } | undefined {
  const standard = standardNames.get(code ?? name);
  if (standard !== undefined) {
    context.tell(assumption, place, {
      expression: `type: ${standardError(standard)}`,
      assumed: `functions throw no error named \`${code ?? name}\``,
      otherwise: `For both, write \`when: ${wrapped(conditionOf([{ name, code }], ""))}\`.`,
    });
    return { type: standardError(standard) };
  }
  const status = statusOf(code);
  if (status !== undefined) {
    context.tell(assumption, place, {
      expression: `status: ${status}`,
      assumed: `functions throw this error with the status, not with the name \`${name}\``,
      otherwise: `For both, write \`when: ${wrapped(conditionOf([{ name, code }], ""))}\`.`,
    });
    return { status };
  }
  return code === undefined || code === name ? { title: name } : undefined;
}

/** The status that a code means. */
function statusOf(code: string | undefined): number | undefined {
  const [, status] = /^(?:HTTP[:_ ]?)?([1-5]\d\d)$/i.exec(code ?? "") ?? [];
  return status === undefined ? undefined : Number(status);
}

/** A condition over the error in `error`, a variable or the input (empty). */
export function conditionOf(patterns: readonly ErrorPattern[], error: string): string {
  const tests = patterns.flatMap(({ name, code }) => {
    const standard = standardNames.get(code ?? name);
    if (standard !== undefined)
      return [
        `${error}.type == ${JSON.stringify(standardError(standard))}`,
        `${error}.title == ${JSON.stringify(code ?? name)}`,
      ];
    const status = statusOf(code);
    const titles = [...new Set([name, ...(code === undefined || status !== undefined ? [] : [code])])];
    return [
      ...(status === undefined ? [] : [`${error}.status == ${status}`]),
      ...titles.map((title) => `${error}.title == ${JSON.stringify(title)}`),
    ];
  });
  return [...new Set(tests)].join(" or ");
}
