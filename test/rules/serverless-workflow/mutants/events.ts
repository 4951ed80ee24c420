import type { Mutant } from "../../mutant.ts";

/** Mutants of the rules of events and correlation. */
export const eventMutants: readonly Mutant[] = [
  {
    rule: "B4.2",
    reading: "an entry with several events needs all",
    file: "src/languages/serverless-workflow/events.ts",
    replace: "  all: [patterns],",
    by: "  all: patterns.map((pattern) => [pattern]),",
  },
  {
    rule: "B4.5",
    reading: "a timeout fails",
    file: "src/languages/serverless-workflow/waits.ts",
    replace: 'writer.context.settings.timeout === "fail" ? literal(true)',
    by: 'writer.context.settings.timeout !== "fail" ? literal(true)',
  },
  {
    rule: "B4.7",
    reading: "the timeout does not discard",
    file: "src/languages/serverless-workflow/waits.ts",
    replace: 'gap: state.timeout === undefined ? undefined : secondsAt(silent, state, "timeout")',
    by: "gap: undefined",
  },
  {
    rule: "B4.8",
    reading: "events received before a timeout stay available",
    file: "src/languages/serverless-workflow/waits.ts",
    replace: "if ((state.exclusive ?? true) || patterns.length < 2) return noSteps;",
    by: "if (patterns.length > 0) return noSteps;",
  },
  {
    rule: "B4.9",
    reading: "the filter applies to one event",
    file: "src/languages/serverless-workflow/events.ts",
    replace: 'selectors: [{ kind: "wildcard" }]',
    by: 'selectors: [{ kind: "index", index: 0 }]',
  },
  {
    rule: "B4.10",
    reading: "a retry waits again",
    file: "src/languages/serverless-workflow/waits.ts",
    replace:
      "  const handled = () => withErrorHandling(writer, (inner) => handleEvents(inner, state, alternatives, caught));\n  if (within === undefined || !isNever(caught)) return sequence(waited, handled());",
    by: "  const handled = () => withErrorHandling(writer, (inner) => handleEvents(inner, state, alternatives, caught));\n  if (within === undefined || !isNever(caught)) return withErrorHandling(writer, (inner) => sequence(waited, handleEvents(inner, state, alternatives, caught)));",
  },
  {
    rule: "B5.1",
    reading: "names of tokens are case-sensitive",
    file: "src/expressions/builtins/dialect/data.ts",
    replace: "Object.keys(event).find((key) => key.toLowerCase() === folded)",
    by: "Object.keys(event).find((key) => key === name)",
  },
  {
    rule: "D.source",
    reading: "the source is empty",
    file: "src/languages/serverless-workflow/events.ts",
    replace: "string => `/waybill/",
    by: "string => `/other/",
  },
  {
    rule: "E.correlation.start",
    reading: "the value at the start is not kept",
    file: "src/languages/serverless-workflow/correlation.ts",
    replace: "return { ...correlated, correlation: initialValue(tokens) };",
    by: "return { ...correlated };",
  },
  {
    rule: "E.correlation.produced",
    reading: "a produced event carries the run's value only",
    file: "src/languages/serverless-workflow/correlation.ts",
    replace: "return token === undefined ? step : { ...step, correlation: memberOfData(token) };",
    by: "return step;",
  },
  {
    rule: "E.correlation.element",
    reading: "a wait uses the value at the start of the run",
    file: "src/languages/serverless-workflow/correlation.ts",
    replace: ": { ...step, correlation: tokens.map((key) => ({ key, value: memberOfData(key) })) };",
    by: ": step;",
  },
  {
    rule: "E.correlation.callback",
    reading: "a wait uses the value at the start of the run",
    file: "src/languages/serverless-workflow/correlation.ts",
    replace: ": { ...step, correlation: tokens.map((key) => ({ key, value: memberOfData(key) })) };",
    by: ": step;",
  },
  {
    rule: "E.correlation.kept",
    reading: "a wait uses the value at the start of the run",
    file: "src/languages/serverless-workflow/correlation.ts",
    replace: ": { ...step, correlation: tokens.map((key) => ({ key, value: memberOfData(key) })) };",
    by: ": step;",
  },
  {
    rule: "B5.3",
    reading: "a wait uses the value at the start of the run",
    file: "src/languages/serverless-workflow/correlation.ts",
    replace: ": { ...step, correlation: tokens.map((key) => ({ key, value: memberOfData(key) })) };",
    by: ": step;",
  },
];
