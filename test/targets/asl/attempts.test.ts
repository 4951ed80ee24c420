import { describe, expect, test } from "vitest";
import type { Expression } from "../../../src/expressions/core/ast.ts";
import { binary, literal, member, object, variable } from "../../../src/expressions/core/build.ts";
import {
  assign,
  attempt,
  call,
  data,
  end,
  error,
  handler,
  named,
  retry,
  scope,
  workflow,
} from "../../reference/build.ts";
import { callsOf, outcomeOf, returns, throws } from "../../reference/interpreting.ts";
import { compareWithReference } from "./reference-comparison.ts";

// Attempts whose errors steps dispatch, because no Retry or Catch expresses their conditions.

describe("a variable with the name that the error has in conditions", () => {
  const body = scope([], call("Call", "f", data, "Done"), end("Done", literal(null)));
  const flow = (recovery: Parameters<typeof attempt>[3], mine: Expression = variable("error")) =>
    workflow(
      scope(
        ["data", "error"],
        assign("Set", { error: literal(42) }, "Try"),
        attempt("Try", body, "End", recovery),
        end("End", object([["mine", mine]])),
      ),
    );
  const busyOnce = { functions: { f: [throws("Busy"), returns(1)] } };

  test("keeps its value after a retry that is not a Retry", async () => {
    const seen = await compareWithReference(flow({ retries: [retry(2, 0, { when: named("Busy") })] }), busyOnce);
    expect([outcomeOf(seen), callsOf(seen)]).toEqual([{ output: { mine: 42 } }, ["f({})", "f({})"]]);
  });

  test("keeps its value after a handler that is not a Catch", async () => {
    const told = { functions: { f: [throws("Busy", "again")] } };
    const again = binary("==", member(error, "message"), literal("again"));
    expect(outcomeOf(await compareWithReference(flow({ handlers: [handler(again, "End")] }), told))).toEqual({
      output: { mine: 42 },
    });
  });

  test("holds the error if a handler binds it", async () => {
    const recovery = { handlers: [handler(named("Busy"), "End", "error")] };
    const caught = flow(recovery, member(variable("error"), "message"));
    const told = { functions: { f: [throws("Busy", "again")] } };
    expect(outcomeOf(await compareWithReference(caught, told))).toEqual({ output: { mine: "again" } });
  });
});
