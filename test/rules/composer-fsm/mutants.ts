import type { Mutant } from "../mutant.ts";

/** The mutants of the rules of compositions. */
export const mutants: readonly Mutant[] = [
  {
    rule: "globals",
    reading: "only the globals of JavaScript can be used",
    file: "src/languages/composer-fsm/javascript/names.ts",
    replace: "console Buffer URL URLSearchParams",
    by: "URLSearchParams",
  },
  {
    rule: "reserved-parameters",
    reading: "all parameters are the composition's",
    file: "src/languages/composer-fsm/workflow.ts",
    replace: "literal(reservedParameters.map((name) => [name]))",
    by: "literal([])",
  },
  {
    rule: "error-object",
    reading: "an error that is not a string is lost",
    file: "src/languages/composer-fsm/context.ts",
    replace: '["message", call("text", error)]',
    by: '["message", literal("The run has failed with an error that is no text.")]',
  },
  {
    rule: "error-code",
    reading: "an error with a code is a rejection",
    file: "src/languages/composer-fsm/context.ts",
    replace: '["origin", literal("function")]',
    by: '["origin", literal("denied")], ["fatal", literal(true)]',
  },
  {
    rule: "no-json",
    reading: "a function without a result in JSON gives nothing",
    file: "src/ir/scripts.ts",
    replace: "throw Object.assign(new Error(\\`A function gives no JSON",
    by: "return {}; throw Object.assign(new Error(\\`A function gives no JSON",
  },
];

/** The reference evaluates functions, which need no rule there. */
export const withoutMutant: readonly string[] = ["index"];
