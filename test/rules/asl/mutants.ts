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
];
