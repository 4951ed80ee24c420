import { noForm } from "../../diagnostics/migration.ts";
import { type Expression as Core, member, variable } from "../../expressions/index.ts";
import type { ErrorDefinition, RetryDefinition } from "../../generated/serverless-workflow-definition.ts";
import { isTimeSyntaxError, parseRepeating } from "../../text/iso8601.ts";
import { memberPath } from "../jq-text.ts";
import type { ErrorHandler, ErrorPattern, Retry } from "../model.ts";
import { parseExpression } from "./conditions.ts";
import type { ReaderContext } from "./context.ts";
import { exitOf } from "./exits.ts";
import { pathProgram } from "./paths.ts";

/** The errors that a condition selects. */
interface Selection {
  readonly only: readonly ErrorPattern[] | undefined;
  readonly except: readonly ErrorPattern[];
}

const error = variable("error");
const fields = ["name", "message", "trace"];

/** The errors of a condition; undefined if it reads more than the names of errors. */
function selectionOf(context: ReaderContext, owner: ErrorDefinition | RetryDefinition): Selection | undefined {
  const isError = (name: string): boolean => name === "error" || name === "exception";
  const condition = parseExpression(context, owner, {
    member: (name) => (isError(name) ? error : member(variable("data"), name)),
    identifier: (name) => (isError(name) ? error : fields.includes(name) ? member(error, name) : undefined),
  });
  const selected = condition && select(condition);
  if (!selected)
    context.tell(
      noForm,
      { owner, key: "expression" },
      { construct: "this condition", hint: "Write `catch.when` or `catch.exceptWhen` over `$error`." },
    );
  return selected;
}

function select(condition: Core): Selection | undefined {
  if (condition.kind === "literal") return condition.value === true ? { only: undefined, except: [] } : undefined;
  if (condition.kind !== "call") return undefined;
  const { name, args } = condition;
  if (name === "or" || name === "and") return combine(name, args.map(select));
  if (name === "not") {
    const inner = select(args[0]!);
    return inner?.only && inner.except.length === 0 ? { only: undefined, except: inner.only } : undefined;
  }
  if (name === "!=" || name === "compareInCondition" || name === "==") return compared(condition);
  return undefined;
}

function compared({ name, args }: Extract<Core, { readonly kind: "call" }>): Selection | undefined {
  const [left, operator, right] = name === "compareInCondition" ? args : [args[0], undefined, args[1]];
  const sign = operator?.kind === "literal" ? operator.value : name;
  const [value, other] = left?.kind === "literal" ? [left, right] : [right, left];
  if (value?.kind !== "literal" || !other || (sign !== "==" && sign !== "!=")) return undefined;
  if (value.value === null) return isError(other) && sign === "!=" ? { only: undefined, except: [] } : undefined;
  if (!isErrorName(other) || typeof value.value !== "string") return undefined;
  const patterns = [{ name: value.value, code: undefined }];
  return sign === "==" ? { only: patterns, except: [] } : { only: undefined, except: patterns };
}

const isError = (expression: Core): boolean => expression.kind === "variable" && expression.name === "error";

function isErrorName(expression: Core): boolean {
  if (expression.kind === "call" && expression.name === "first") return isErrorName(expression.args[0]!);
  if (expression.kind !== "query" || !isError(expression.source)) return false;
  const [segment, ...others] = expression.segments;
  const [selector] = segment?.selectors ?? [];
  return others.length === 0 && selector?.kind === "name" && selector.name === "name";
}

function combine(name: "and" | "or", parts: readonly (Selection | undefined)[]): Selection | undefined {
  const all = parts.flatMap((part) => part ?? []);
  if (all.length < parts.length) return undefined;
  if (name === "or")
    return all.every(({ only, except }) => only && except.length === 0)
      ? { only: all.flatMap(({ only }) => only ?? []), except: [] }
      : undefined;
  const limited = all.filter(({ only }) => only);
  return limited.length > 1 ? undefined : { only: limited[0]?.only, except: all.flatMap(({ except }) => except) };
}

/** The handlers of a state. */
export function readHandlers(context: ReaderContext, handlers: readonly ErrorDefinition[]): readonly ErrorHandler[] {
  return handlers.flatMap((handler): readonly ErrorHandler[] => {
    const selected = selectionOf(context, handler);
    if (!selected) return [];
    const { only: errors, except } = selected;
    const place = { owner: handler };
    return [{ errors, except, merge: mergeOf(context, handler), exit: exitOf(context, handler), place }];
  });
}

const errorObject = '{ name: $error.title, message: ($error.detail // "") }';

const errorMembers: { readonly [name: string]: string } = {
  name: "$error.title",
  message: '($error.detail // "")',
};

/** Adds the error, or what the filter selects of it. */
function mergeOf(context: ReaderContext, { errorDataFilter: filter }: ErrorDefinition): string {
  const whole = `. + { error: ${errorObject} }`;
  if (filter?.dataOutputPath === undefined) return whole;
  const path = pathProgram(context, filter.dataOutputPath, { owner: filter, key: "dataOutputPath" });
  const [first, ...others] = path?.names ?? [];
  if (!path || first === undefined) return path?.jq === "." ? `. + ${errorObject}` : whole;
  const found = others.length === 0 ? errorMembers[first] : undefined;
  if (found !== undefined) return `. + { ${first}: ${found} }`;
  return others.length === 0
    ? `. + { ${memberPath(first).replace(/^\./, "")}: ${errorObject} }`
    : `${path.jq} = ${errorObject}`;
}

/** The retries of a state; those without attempts exclude errors from the others. */
export function readRetries(context: ReaderContext, retries: readonly RetryDefinition[]): readonly Retry[] {
  const read: Retry[] = [];
  const excluded: ErrorPattern[] = [];
  for (const retry of retries) {
    const selected = selectionOf(context, retry);
    if (!selected) continue;
    const { delay, limit } = intervalOf(retry);
    if (limit === 0) {
      if (!selected.only) break;
      excluded.push(...selected.only);
      continue;
    }
    read.push({
      name: undefined,
      limit,
      delay,
      ...growthOf(retry),
      maximum: undefined,
      hasJitter: false,
      only: selected.only,
      except: [...selected.except, ...excluded],
      place: { owner: retry },
    });
    if (selected.only) excluded.push(...selected.only);
  }
  return read;
}

function intervalOf({ interval = "PT0S", maxAttempts }: RetryDefinition) {
  const repeating = interval.startsWith("R") ? parseRepeating(interval) : undefined;
  if (!repeating || isTimeSyntaxError(repeating)) return { delay: interval, limit: maxAttempts ?? 1 };
  const { repetitions } = repeating;
  const limit =
    repetitions === undefined ? maxAttempts : Math.min(repetitions, maxAttempts ?? Number.POSITIVE_INFINITY);
  return { delay: interval.slice(interval.indexOf("/") + 1), limit };
}

function growthOf({ multiplier }: RetryDefinition): Pick<Retry, "multiplier" | "increment"> {
  if (multiplier === undefined) return { multiplier: 1, increment: undefined };
  const factor = Number(multiplier);
  return Number.isNaN(factor)
    ? { multiplier: 1, increment: String(multiplier) }
    : { multiplier: factor, increment: undefined };
}
