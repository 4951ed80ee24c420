import {
  and,
  balanced,
  binary,
  call,
  conditional,
  type Expression,
  firstOr,
  literal,
} from "../../expressions/index.ts";
import type { Choice, MatchRule, SwitchState } from "../../generated/function-workflow-definition.ts";
import type { Json } from "../../json.ts";
import { pathAt, spanOf } from "../shared/properties.ts";
import { type ChoiceCase, choose, failWith, type StepFragment, sequence } from "../shared/steps.ts";
import { type Context, data, type Writer } from "./context.ts";
import { multipleValues, nestedNextState, operandType } from "./diagnostics/kinds.ts";
import { failError } from "./errors.ts";
import { outputFilter } from "./filters.ts";
import { leave } from "./transitions.ts";

/** Function Workflow 0.1, Switch State: takes the first choice that holds. */
export function lowerSwitch(writer: Writer, state: SwitchState): StepFragment {
  const { context, construct } = writer;
  const cases = state.choices.map(
    (choice): ChoiceCase => ({
      when: ruleOf(context, choice),
      span: spanOf(context, choice),
      build: () => sequence(outputFilter(writer), leave(writer, choice)),
    }),
  );
  const message = `No choice of switch state ${writer.name} holds, and it has no default.`;
  const otherwise = (): StepFragment =>
    state.default === undefined
      ? failWith(writer, "none", construct.span, { origin: "noMatch", name: failError, message })
      : sequence(outputFilter(writer), leave(writer, state, "default"));
  return choose(writer, "choose", construct.span, cases, otherwise);
}

function ruleOf(context: Context, rule: Choice | MatchRule): Expression {
  const inner = (each: MatchRule): Expression => {
    if (each["next-state"] !== undefined)
      context.report(nestedNextState(spanOf(context, each, "next-state", "key"), {}));
    return ruleOf(context, each);
  };
  if (rule.Not) return conditional(inner(rule.Not), literal(false), literal(true));
  if (rule.And) return balanced("and", rule.And.map(inner));
  if (rule.Or) return balanced("or", rule.Or.map(inner));
  return comparison(context, rule);
}

const signs = { EQ: "==", LT: "<", LTEQ: "<=", GT: ">", GTEQ: ">=" } as const;

function comparison(context: Context, rule: Choice | MatchRule): Expression {
  const { operator = "EQ" } = rule;
  const path = pathAt(context, rule, "path", data);
  const operand = operandOf(context, rule);
  if (!path || operand === undefined) return literal(false);
  if (!path.definite) {
    context.report(multipleValues(spanOf(context, rule, "path"), { path: rule.path!, what: "A comparison" }));
    return literal(false);
  }
  const found = firstOr(path.query, literal(null));
  const sign = signs[operator.replace("Str", "") as keyof typeof signs];
  const compared = binary(sign, found, literal(operand));
  if (sign === "==") return compared;
  return and(binary("==", call("type", found), literal(typeof operand)), compared);
}

/** The operand in the operator's type; reports and returns undefined if unfit. */
function operandOf(context: Context, rule: Choice | MatchRule): Json | undefined {
  const { operator = "EQ", value = "" } = rule;
  const isText = operator.startsWith("Str");
  if (isText ? typeof value === "string" : typeof value === "number") return value;
  if (operator === "EQ" && typeof value === "boolean") return value;
  if (!isText && typeof value === "string" && isNumber(value)) return Number(value);
  context.report(operandType(spanOf(context, rule, "value"), { operator, value }));
  return undefined;
}

const isNumber = (text: string): boolean =>
  text.length < 400 && /^\s*-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\s*$/.test(text) && Number.isFinite(Number(text));
