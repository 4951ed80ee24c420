import type { Mutant } from "../mutant.ts";
import { controlMutants } from "./mutants/control.ts";
import { dataMutants } from "./mutants/data.ts";
import { errorMutants } from "./mutants/errors.ts";
import { eventMutants } from "./mutants/events.ts";

/** The mutants of the rules of Serverless Workflow. */
export const mutants: readonly Mutant[] = [
  {
    rule: "B3.20",
    reading: "a schema is documentation",
    file: "src/ir/inputs.ts",
    replace: "const clause = inputRules ? schemaViolation(input, inputRules) : null;",
    by: "const clause = null;",
  },
  {
    rule: "B3.20.subflow",
    reading: "only the input of called runs is checked",
    file: "src/ir/inputs.ts",
    replace: "const fitting = inputRules ? fittingInput(input, inputRules) : input;",
    by: "const fitting = input;",
  },
  {
    rule: "B3.20.events",
    reading: "the empty data of a run that events start is checked",
    file: "src/ir/inputs.ts",
    replace: "if (input === undefined) return undefined;",
    by: "if (input === undefined) return inputError(workflow, {});",
  },
  ...dataMutants,
  ...eventMutants,
  ...errorMutants,
  ...controlMutants,
  {
    rule: "B3.9",
    reading: "objects are merged recursively by default",
    file: "src/languages/serverless-workflow/context.ts",
    replace: 'chosen("merge") === "deep" ? "deep" : "shallow"',
    by: 'chosen("merge") === "shallow" ? "shallow" : "deep"',
  },
  {
    rule: "B6.3",
    reading: "a missing path differs only from null",
    file: "src/expressions/builtins/dialect/conditions.ts",
    replace: 'return operator === "==" && (a ?? b ?? null) === null;',
    by: 'return operator === "!=" && (a === null || b === null);',
  },
  {
    rule: "B6.3",
    reading: "a missing path is null in every comparison",
    file: "src/expressions/builtins/dialect/conditions.ts",
    replace: 'return operator === "==" && (a ?? b ?? null) === null;',
    by: 'return equalValues(a ?? null, b ?? null) === (operator === "==");',
  },
  {
    rule: "E.timeout.action",
    reading: "the state continues with the next action",
    file: "src/languages/serverless-workflow/actions.ts",
    replace: "called(merged(next), timeout.proceeds ? skip : undefined)",
    by: "called(merged(next), timeout.proceeds ? next : undefined)",
  },
  {
    rule: "E.retry.error",
    reading: "an error that was in the input counts",
    file: "src/languages/serverless-workflow/retries.ts",
    replace: 'const value = call("omit", data, literal(errorNames));',
    by: "const value = data;",
  },
  {
    rule: "E.retry.error",
    reading: "only a raised error counts",
    file: "src/languages/serverless-workflow/retries.ts",
    replace: "const mayHaveError = mayPutError(context, state);",
    by: "const mayHaveError = false;",
  },
  {
    rule: "E.retry.names",
    reading: "after success the fields of an error are null",
    file: "src/languages/serverless-workflow/retries.ts",
    replace: "return readsError && freeVariables(condition).size === 0 ? literal(false) : condition;",
    by: "return condition;",
  },
  {
    rule: "E.retry.output",
    reading: "the expression is evaluated before the output filter",
    file: "src/languages/serverless-workflow/retries.ts",
    replace: "if (filter?.dataOutputPath === undefined) return build(attempt);",
    by: "return build(attempt);",
  },
  {
    rule: "E.merge.join",
    reading: "the join is shallow",
    file: "src/languages/serverless-workflow/nested.ts",
    replace: 'return call("mergeResult", merged, all ?',
    by: 'return call("assignResult", merged, all ?',
  },
  {
    rule: "E.conditions.spel",
    reading: "SpEL's `matches` searches in the string",
    file: "src/expressions/syntax/spel/spel.ts",
    replace: '["matches", testRule(matches(true))]',
    by: '["matches", testRule(matches(false))]',
  },
  {
    rule: "E.conditions.jexl",
    reading: "the quotient of integers has a fraction",
    file: "src/expressions/syntax/condition/arithmetic.ts",
    replace: 'name === "/" && !isFloat ? quotient(reader, a, b)',
    by: 'name === "/" && !isFloat ? binary(name, a, b)',
  },
  {
    rule: "E.conditions.cel",
    reading: "CEL's `matches` matches the whole string",
    file: "src/expressions/syntax/cel/cel.ts",
    replace: '["matches", fixed(1, matches(false))]',
    by: '["matches", fixed(1, matches(true))]',
  },
  {
    rule: "E.conditions.missing",
    reading: "a missing member differs from no value",
    file: "src/expressions/syntax/condition/operand.ts",
    replace: 'return call("not", compare("==", a, b));',
    by: 'return compare("!=", a, b);',
  },
  {
    rule: "E.conditions.types",
    reading: "`startsWith` is false of a value that is not a string",
    file: "src/expressions/syntax/condition/functions.ts",
    replace: 'conditionOf(call("startswith", toValue(text!), toValue(prefix!)));',
    by: 'conditionOf(call("truthy", { kind: "try", body: call("startswith", toValue(text!), toValue(prefix!)), handler: undefined }));',
  },
  {
    rule: "E.jsonpath",
    reading: "`=~` matches the beginning of a string",
    file: "src/expressions/syntax/jsonpath/operators.ts",
    replace: "{pattern.source})$`;",
    by: "{pattern.source})`;",
  },
  {
    rule: "E.jsonpath",
    reading: "aggregates of several values use the elements of each",
    file: "src/expressions/syntax/jsonpath/functions.ts",
    replace: "isDefinite(nodes.segments) ? elementsOf(nodes) : nodes.path(nodes.segments)",
    by: "elementsOf(nodes)",
  },
  {
    rule: "E.jsonpath.root",
    reading: "a path without `$` is an error",
    file: "src/languages/shared/properties.ts",
    replace: "{ spanAt, isRootless: true }",
    by: "{ spanAt }",
  },
  {
    rule: "D.depth",
    reading: "a subflow that is waited for waits for no other",
    file: "src/scenario/simulation.ts",
    replace: "if (depth > maxDepth)",
    by: "if (depth > 1)",
  },
  {
    rule: "D.calendar",
    reading: "time has no end",
    file: "src/scenario/simulation.ts",
    replace: "due <= lastInstant",
    by: "due <= Number.POSITIVE_INFINITY",
  },
];

/** Rules that have no mutant yet. */
export const withoutMutant: readonly string[] = `
B4.11 B5.4 D.instant.subflow
`
  .trim()
  .split(/\s+/);
