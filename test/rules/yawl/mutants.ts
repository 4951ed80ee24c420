import type { Mutant } from "../mutant.ts";

/** The mutants of the rules of YaWL. */
export const mutants: readonly Mutant[] = [
  {
    rule: "whole-step",
    reading: "only fields that may contain jq are sent",
    file: "src/languages/shared/payload.ts",
    replace: ".filter((key) => !omitted.has(key))",
    by: ".filter((key) => !omitted.has(key) && (all === true || interpolated.includes(key) || Object.hasOwn(parts, key)))",
  },
  {
    rule: "whole-step",
    reading: "the timeout is sent",
    file: "src/languages/yawl/integrations.ts",
    replace: '"retryPolicy", "timeout", "catch"]',
    by: '"retryPolicy", "catch"]',
  },
  {
    rule: "fields-without-jq",
    reading: "jq is evaluated in all fields",
    file: "src/languages/shared/payload.ts",
    replace: "return isInterpolated ? context.interpolate(owner, key) : context.literal(owner, key);",
    by: "return context.interpolate(owner, key);",
  },
  {
    rule: "while-input",
    reading: "`input` is evaluated once, before the first round",
    file: "src/languages/yawl/while.ts",
    replace: `const cases = [{ when, next: enter(entry), span: test.base.span }];
    test.fill({ ...test.base, kind: "choose", cases, otherwise });
    return begin(test.reference);`,
    by: `const cases = [{ when, next: entry, span: test.base.span }];
    test.fill({ ...test.base, kind: "choose", cases, otherwise });
    return begin(enter(test.reference));`,
  },
  {
    rule: "while-input",
    reading: "`input` is evaluated over the state before the loop",
    file: "src/languages/yawl/while.ts",
    replace: 'const input = jsonAt(context, step, "input", scope);',
    by: 'const input = jsonAt(context, step, "input", { ...scope, input: variable(writer.scope.state) });',
  },
  {
    rule: "while-condition",
    reading: "the condition is evaluated over the input of the loop",
    file: "src/languages/yawl/while.ts",
    replace: `const cases = [{ when, next: enter(entry), span: test.base.span }];
    test.fill({ ...test.base, kind: "choose", cases, otherwise });
    return begin(test.reference);`,
    by: `const cases = [{ when, next: entry, span: test.base.span }];
    test.fill({ ...test.base, kind: "choose", cases, otherwise });
    return begin(enter(test.reference));`,
  },
  {
    rule: "while-limit",
    reading: "`max_iterations` is evaluated over the state of the loop",
    file: "src/languages/yawl/while.ts",
    replace: "return { most: variable(limit), values: [{ variable: limit, value }] };",
    by: 'return { most: simplify(wholeNumberIn(simplify(stringAt(context, step, "max_iterations", { ...stateScope(writer), input: variable("round") })), integerSyntax, failing)), values: [] };',
  },
  {
    rule: "while-limit",
    reading: "a fraction is rounded down",
    file: "src/languages/yawl/numbers.ts",
    replace: 'conditional(binary("==", number, whole), whole, failing)',
    by: "whole",
  },
  {
    rule: "wait-whole",
    reading: "a computed duration may have a fraction",
    file: "src/languages/yawl/numbers.ts",
    replace: 'conditional(binary("==", number, whole), whole, failing)',
    by: "number",
  },
  {
    rule: "addresses",
    reading: "arrays are sent as they are written",
    file: "src/languages/shared/payload.ts",
    replace:
      "return arrayOf(value.map((_, index) => payloadValue(value, String(index), part, isInterpolated, context)));",
    by: "return literal(value);",
  },
  {
    rule: "workflow-id",
    reading: "the id of a workflow is the name of its file",
    file: "src/pipeline/lower.ts",
    replace: "stem: configured ?? id ?? defaultName(document.source, index),",
    by: "stem: id ?? defaultName(document.source, index),",
  },
  {
    rule: "results-by-kind",
    reading: "results under a kind win",
    file: "src/ir/definitions.ts",
    replace: "if (has(name)) return name;",
    by: "if (has(name) && !(stepKind !== undefined && has(stepKind))) return name;",
  },
  {
    rule: "secrets",
    reading: "a secret that does not exist is empty",
    file: "src/reference/built-in.ts",
    replace: 'throw new FunctionFailure("SecretNotFound",',
    by: 'if (environment) return "";\n  throw new FunctionFailure("SecretNotFound",',
  },
  {
    rule: "no-value",
    reading: "an object is needed",
    file: "src/languages/shared/spelling.ts",
    replace: "if (value === null && table.empties?.includes(name)) return emptyObject(owner, folding);",
    by: "",
  },
  {
    rule: "result",
    reading: "the result is the output of the last step that can have one",
    file: "src/languages/yawl/context.ts",
    replace: 'resultMode = "state"',
    by: 'resultMode = "last-output"',
  },
  {
    rule: "negative-zero",
    reading: "the text of a negative zero is `-0`, as in jq",
    file: "src/expressions/library/json-text.ts",
    replace: "const text = JSON.stringify(input);",
    by: 'const text = Object.is(input, -0) ? "-0" : JSON.stringify(input);',
  },
  {
    rule: "negative-zero",
    reading: "`atan2` reads the sign of a zero",
    file: "src/expressions/library/functions.ts",
    replace: "[numeric(y) + 0, numeric(x) + 0]",
    by: "[numeric(y), numeric(x)]",
  },
];
