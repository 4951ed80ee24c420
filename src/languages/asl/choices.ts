import { and, call, type Expression, literal, or, simplify } from "../../expressions/index.ts";
import type { ChoiceRule, ChoiceState, ChoiceTest } from "../../generated/asl-definition.ts";
import type { ChooseCase } from "../../ir/workflow.ts";
import type { Json } from "../../json.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, end, noSteps, reserve, type StepFragment } from "../shared/steps.ts";
import { comparators, compare, endsInBackslash, isTimestampText, matchesText } from "./comparators.ts";
import { inputName, type Writer } from "./context.ts";
import { effectiveInput, isJsonata, outputWithoutResult, variablesAssigned } from "./data-flow.ts";
import { badOperand, comparatorCount, exclusiveFields, missingField } from "./diagnostics/kinds.ts";
import { runtimeError } from "./failures.ts";
import { typedAt } from "./jsonata-values.ts";
import type { PathRoots } from "./paths.ts";
import { reportComputed, reportUnreadable } from "./placeholders.ts";
import { pathAt, textAt, valueAt } from "./templates.ts";

/** Continues with the first rule that matches; without `Default` and a match, the execution fails. */
export function lowerChoice(writer: Writer<ChoiceState>): StepFragment {
  const { context, state, construct } = writer;
  const input = effectiveInput(writer);
  const roots: PathRoots = { writer, input };
  const test = reserve(writer, "choose", construct.span);
  const conditionOf = (roots: PathRoots, rule: ChoiceRule, i: number): Expression =>
    isJsonata(writer) ? conditionAt(roots, rule, i) : testOf(roots, rule);
  const chosen = state.Choices.map((rule, i) => {
    const span = spanOf(context, rule, "Next");
    return { when: simplify(conditionOf(roots, rule, i)), span, leave: leaving(roots, rule, "Next") };
  });
  const otherwise = state.Default === undefined ? noMatch(writer) : leaving(roots, state, "Default");
  return () => {
    const cases = chosen.map(({ when, span, leave }): ChooseCase => ({ when, span, next: leave(test.reference) }));
    test.fill({ ...test.base, kind: "choose", cases, otherwise: otherwise(test.reference) });
    return test.reference;
  };
}

/** Stores the output and the variables, then continues with the state that a rule or `Default` names. */
function leaving(roots: PathRoots, owner: object, key: "Next" | "Default"): StepFragment {
  const { writer, input } = roots;
  const output = simplify(outputWithoutResult(writer, owner, input));
  const given = valueAt({ owner, key: "Assign" });
  const values = [
    ...(output.kind === "variable" && output.name === inputName ? [] : [{ variable: inputName, value: output }]),
    ...(given === undefined ? [] : variablesAssigned(roots, owner)),
  ];
  const span = spanOf(writer.context, owner, key);
  const store = values.length === 0 ? noSteps : assign(writer, "output", span, ...values);
  return () => store(writer.route(owner, key));
}

const noMatch = (writer: Writer): StepFragment =>
  end(writer, "no-match", writer.construct.span, {
    outcome: "fail",
    extent: "scope",
    value: literal({ origin: "noMatch", name: runtimeError, message: `No rule of ${writer.name} matches.` }),
  });

/** The condition of a rule in JSONata. */
function conditionAt({ writer }: PathRoots, rule: ChoiceRule, i: number): Expression {
  const field = { owner: rule, key: "Condition" };
  if (rule.Condition !== undefined) return typedAt({ writer }, field, "boolean", `Choices[${i}]/Condition`);
  const { context } = writer;
  context.report(missingField(spanOf(context, rule), { type: "rule", fields: ["Condition"] }));
  return literal(false);
}

/** The condition of a test. */
function testOf(roots: PathRoots, test: ChoiceTest): Expression {
  const { context } = roots.writer;
  const keys = Object.keys(test).filter((key) => isComparator(key));
  const [key] = keys;
  if (key === undefined || keys.length > 1) {
    context.report(comparatorCount(spanOf(context, test), { names: keys }));
    return literal(false);
  }
  const isJoined = key === "And" || key === "Or" || key === "Not";
  if (isJoined && test.Variable !== undefined)
    context.report(exclusiveFields(spanOf(context, test, "Variable", "key"), { field: "Variable", other: key }));
  if (key === "And" || key === "Or") {
    const tests = test[key]!.map((each) => testOf(roots, each));
    return tests.reduce(key === "And" ? and : or);
  }
  if (key === "Not") return call("not", testOf(roots, test.Not!));
  if (test.Variable === undefined) {
    context.report(comparatorCount(spanOf(context, test, key, "key"), { names: [key] }));
    return literal(false);
  }
  return comparisonOf(roots, test, key);
}

function comparisonOf(roots: PathRoots, test: ChoiceTest, key: string): Expression {
  const { context } = roots.writer;
  const path = pathAt(roots, { owner: test, key: "Variable" });
  const operand = valueAt({ owner: test, key })!;
  if (!path) return literal(false);
  if (key === "IsPresent") {
    const found = path.isDefinite ? call("exists", path.found) : literal(true);
    return operand === true ? found : call("not", found);
  }
  const reason = faultOf(key, operand);
  const isPath = key.endsWith("Path");
  const text = textAt(roots, { owner: test, key });
  if (reason === undefined && !isPath) reportComputed(text, context.report);
  if (reason !== undefined && !reportUnreadable(text, context.report))
    context.report(badOperand(spanOf(context, test, key), { name: key, reason }));
  if (key === "StringMatches") return matchesText(path.value, operand);
  const comparison = comparators.get(isPath ? key.slice(0, -4) : key)!;
  const right = isPath ? pathAt(roots, { owner: test, key })?.value : literal(operand);
  return right ? compare(comparison, path.value, right) : literal(false);
}

function faultOf(key: string, operand: Json): string | undefined {
  const text = typeof operand === "string" ? operand : "";
  if (key === "StringMatches" && endsInBackslash(text)) return "the last backslash escapes nothing";
  const isInstant = key.startsWith("Timestamp") && !key.endsWith("Path");
  return isInstant && !isTimestampText(text) ? "it is no timestamp such as `2026-01-31T09:30:00Z`" : undefined;
}

const isComparator = (key: string): boolean =>
  ["And", "Or", "Not", "IsPresent", "StringMatches"].includes(key) ||
  comparators.has(key) ||
  (key.endsWith("Path") && comparators.has(key.slice(0, -4)));
