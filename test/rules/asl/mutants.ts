import type { Mutant } from "../mutant.ts";

/** The mutants of the rules of Amazon States Language. */
export const mutants: readonly Mutant[] = [
  {
    rule: "token-per-attempt",
    reading: "all attempts have one token",
    file: "src/scenario/calls.ts",
    replace: "const count = (tokenCounts.get(name) ?? 0) + 1;",
    by: "const count = tokenCounts.get(name) ?? 1;",
  },
  {
    rule: "heartbeat-names",
    reading: "a missed heartbeat is any other timeout",
    file: "src/ir/errors.ts",
    replace: '{ ...stepTimeoutError, origin: "heartbeat" }',
    by: "stepTimeoutError",
  },
  {
    rule: "heartbeat-names",
    reading: "`States.TaskFailed` matches a timeout",
    file: "src/languages/asl/errors.ts",
    replace: "return [isNot(timeoutError, heartbeatError, ",
    by: "return [isNot(heartbeatError, ",
  },
  {
    rule: "heartbeat-restarts",
    reading: "a heartbeat changes nothing",
    file: "src/reference/recovery.ts",
    replace: `          end();
          begin();`,
    by: "",
  },
  {
    rule: "heartbeat-restarts",
    reading: "the first heartbeat ends the limit",
    file: "src/reference/recovery.ts",
    replace: `          end();
          begin();`,
    by: "          end();",
  },
  {
    rule: "nameless-failure",
    reading: "a catcher sees empty strings",
    file: "src/languages/asl/errors.ts",
    replace: "const isNullable = isInner || awaitsCallback(state);",
    by: "const isNullable = isInner;",
  },
  {
    rule: "broken-paths",
    reading: "`States.ALL` takes a broken path",
    file: "src/languages/asl/errors.ts",
    replace: 'if (name === "States.ALL") return [isNot(runtimeError)];',
    by: 'if (name === "States.ALL") return [literal(true)];',
  },
  {
    rule: "mismatched-types",
    reading: "values of different types are ordered",
    file: "src/languages/asl/comparators.ts",
    replace: "      both(left, right, (each) => isA(each, type)),",
    by: "      literal(true),",
  },
  {
    rule: "result-path",
    reading: "the result is placed in the selected input",
    file: "src/languages/asl/data-flow.ts",
    replace: "placeAt(rawInput, path.segments, value, String(text))",
    by: "placeAt(effectiveInput(writer), path.segments, value, String(text))",
  },
  {
    rule: "rounded-terms",
    reading: "the sum is rounded",
    file: "src/languages/asl/intrinsic-functions.ts",
    replace: '["States.MathAdd", programmed(2, `if',
    by: '["States.MathAdd", programmed(2, `if true then ($a + $b + 0.5 | floor) elif',
  },
  {
    rule: "retrier-counters",
    reading: "all retriers count together",
    file: "src/reference/recovery.ts",
    replace: "const count = retry ? (used.get(retry) ?? 0) + 1 : 0;",
    by: "const count = retry ? [...used.values()].reduce((sum, each) => sum + each, 0) + 1 : 0;",
  },
  {
    rule: "unread-assignments",
    reading: "an expression reads what the ones before it have assigned",
    file: "src/reference/run.ts",
    replace: "const computed = values.map(({ variable, value }) => [variable, compute(value, context)] as const);",
    by: `const computed = values.map(({ variable, value }) => {
    const made = compute(value, context);
    context.environment.own.set(variable, made);
    return [variable, made] as const;
  });`,
  },
  {
    rule: "all-items",
    reading: "zero is no item",
    file: "src/languages/asl/stored-items.ts",
    replace: 'program("if $b > 0 then $a[0:$b | floor] else $a end")',
    by: 'program("$a[0:$b | floor]")',
  },
];
