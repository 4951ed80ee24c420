import { assumption, noForm } from "../../diagnostics/migration.ts";
import {
  type ConditionScope,
  type Expression as Core,
  conditionLanguageOf,
  isParseError,
  member,
  parseCondition,
  simplify,
  variable,
} from "../../expressions/index.ts";
import type { DataCondition, Expression } from "../../generated/serverless-workflow-definition.ts";
import type { Json } from "../../json.ts";
import { literalOf, operand } from "../jq-text.ts";
import type { Filter } from "../model.ts";
import type { ReaderContext } from "./context.ts";
import { conditionText, isNumeric, ofKind } from "./jq.ts";
import { pathProgram } from "./paths.ts";

/** An object with an expression. */
interface Conditional {
  readonly expression?: Expression;
}

/** The condition of an owner, over the data and, with `names`, other variables. Undefined if it is invalid. */
export function parseExpression(
  { definition }: ReaderContext,
  { expression }: Conditional,
  names: Omit<ConditionScope, "root" | "data"> = {},
): Core | undefined {
  const body = typeof expression === "object" ? expression.body : expression;
  if (body === undefined) return undefined;
  const stated = typeof expression === "object" ? expression.language : undefined;
  const written = stated ?? definition.expressionLanguage;
  const data = variable("data");
  const language = written === undefined ? undefined : conditionLanguageOf(written);
  const parsed = parseCondition(body, { root: data, data, ...names }, { language });
  return isParseError(parsed) ? undefined : simplify(parsed);
}

/** The condition of a transition. */
export function transitionCondition(context: ReaderContext, owner: Conditional): Filter | undefined {
  if (owner.expression === undefined) return undefined;
  const place = { owner, key: "expression" };
  const condition = parseExpression(context, owner, { member: (name) => member(variable("data"), name) });
  const jq = condition && conditionText(condition);
  if (jq === undefined) {
    context.tell(noForm, place, {
      construct: "this condition",
      hint: "Write it in jq, in a `switch` before the task.",
    });
    return undefined;
  }
  return { jq, place };
}

/** The condition of a case of a switch. */
export function caseCondition(context: ReaderContext, condition: DataCondition): string {
  const place = { owner: condition, key: "path" };
  const path = pathProgram(context, condition.path, place);
  if (!path) return "false";
  const { jq, isDefinite, names } = path;
  if (isDefinite) return definiteCondition(condition, jq, names) ?? operatorCondition(context, condition, jq);
  const { operator } = condition;
  if (operator === "exists") return `${jq} != []`;
  if (operator === "notexists") return `${jq} == []`;
  const test = operatorCondition(context, condition, ".");
  const isForAll = operator === "notnull" || operator === "notequals" || operator === "notmatches";
  return isForAll ? `${jq} | . != [] and all(${test})` : `${jq} | any(${test})`;
}

/** A condition on whether a member exists. */
function definiteCondition({ operator }: DataCondition, jq: string, names: readonly string[] | undefined) {
  if (!["exists", "notexists", "null"].includes(operator)) return undefined;
  const last = names?.at(-1);
  if (names === undefined || last === undefined) return operator === "notexists" ? `${jq} == null` : `${jq} != null`;
  const owner = jq.slice(0, jq.lastIndexOf(`.${last}`)) || ".";
  const key = JSON.stringify(last);
  const has = owner === "." ? `has(${key})` : `(${owner} | type == "object" and has(${key}))`;
  if (operator === "notexists") return `(${has} | not)`;
  return operator === "exists" ? has : `${has} and ${jq} == null`;
}

function operatorCondition(context: ReaderContext, condition: DataCondition, jq: string): string {
  const { operator, value = null } = condition;
  const text = literalOf(value);
  reportAssumption(context, condition);
  switch (operator) {
    case "null":
      return `${jq} == null`;
    case "notnull":
    case "exists":
      return `${jq} != null`;
    case "notexists":
      return `${jq} == null`;
    case "equals":
      return `${comparable(jq, value)} == ${text}`;
    case "notequals":
      return `${jq} != null and ${comparable(jq, value)} != ${text}`;
    case "matches":
      return `(${jq} | strings | test(${text}))`;
    case "notmatches":
      return `(${jq} | strings | test(${text}) | not)`;
    default:
      return ordered(operator, value, jq);
  }
}

/** jq orders text as such and searches all of Unicode. */
function reportAssumption(context: ReaderContext, condition: DataCondition): void {
  const { operator, value } = condition;
  const isSearch = operator === "matches" || operator === "notmatches";
  const isOrder = /than/.test(operator);
  if (typeof value !== "string" || !(isSearch ? /[.$]|\\[a-zA-Z]/.test(value) : isOrder)) return;
  const assumed = isSearch
    ? "the text has one line and only ASCII characters"
    : isNumeric(value)
      ? "the value is a number, also as text"
      : "the value is text";
  context.tell(
    assumption,
    { owner: condition, key: "value" },
    {
      expression: value,
      assumed,
      otherwise: "The draft compares other values as text or times, and searches as JavaScript does.",
    },
  );
}

/** A string equals scalars that are spelled like it. */
const comparable = (jq: string, value: Json): string =>
  typeof value === "string" && (isNumeric(value) || /^(?:true|false)$/.test(value))
    ? `(${jq} | tostring)`
    : value === "null"
      ? `(${jq} | strings)`
      : operand(jq);

const signs: { readonly [operator: string]: string } = {
  lessthan: "<",
  lessthanorequals: "<=",
  greaterthan: ">",
  greaterthanorequals: ">=",
};

/** Numbers and their spellings are ordered as numbers. */
function ordered(operator: string, value: Json, jq: string): string {
  const number = typeof value === "string" && isNumeric(value) ? Number(value) : value;
  return `${ofKind(number, jq)} ${signs[operator] ?? "=="} ${literalOf(number)}`;
}
