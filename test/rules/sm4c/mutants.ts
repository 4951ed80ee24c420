import type { Mutant } from "../mutant.ts";

/** The mutants of the rules of SM4C. */
export const mutants: readonly Mutant[] = [
  {
    rule: "blank-attributes",
    reading: "a blank attribute counts",
    file: "src/languages/sm4c/canonicalize.ts",
    replace: "  if (!isBlank) return value;",
    by: "  if (isBlank || !isBlank) return value;",
  },
  {
    rule: "version-number",
    reading: "a version is a string",
    file: "src/languages/sm4c/canonicalize.ts",
    replace: 'if (typeof value !== "number") return value;',
    by: 'if (typeof value !== "string") return value;',
  },
  {
    rule: "event-name",
    reading: "it is the name of the definition",
    file: "src/languages/sm4c/events.ts",
    replace: 'bind("event subject", subject, conditional(isName, name, defined))',
    by: "defined",
  },
  {
    rule: "event-name",
    reading: "it is the subject of the event",
    file: "src/languages/sm4c/events.ts",
    replace: 'bind("event subject", subject, conditional(isName, name, defined))',
    by: "subject",
  },
  {
    rule: "timespan-days",
    reading: "days end with a point only",
    file: "src/languages/sm4c/durations.ts",
    replace: "(?:\\.|:(?=\\d+:\\d+:))",
    by: "\\.",
  },
  {
    rule: "subflow-input",
    reading: "a subflow starts with any value",
    file: "src/pipeline/subflow-inputs.ts",
    replace: "return isProven && !subflow.inputRules ? checked :",
    by: "return checked || isProven ? checked :",
  },
  {
    rule: "subflow-input-apart",
    reading: "a subflow that is not waited for starts with any value",
    file: "src/pipeline/subflow-inputs.ts",
    replace: "if (!wait && isTotal(input))",
    by: "if (!wait) return scope;\n  if (!wait && isTotal(input))",
  },
];
