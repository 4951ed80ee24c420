import { expect, test } from "vitest";
import { literal, variable } from "../../../../src/expressions/core/build.ts";
import { branch, data, delay, end, fail, fork, invoke, scope, workflow } from "../../../reference/build.ts";
import { callsOf, outcomeOf } from "../../../reference/interpreting.ts";
import { compareWithReference } from "../reference-comparison.ts";

test.each([0, 1])(
  "a workflow of others that nobody waits for goes on where its branch is cut off after %d s",
  async (time) => {
    const starting = scope(
      [],
      invoke("Start", "audit", data, "Rest", { wait: false }),
      delay("Rest", literal(9), "Left"),
      end("Left", data),
    );
    const failing = scope([], delay("Late", literal(time), "Fail"), fail("Fail", "Gone"));
    const flow = workflow(
      scope(
        ["data", "r"],
        fork("Both", [branch("a", starting), branch("b", failing)], "End", { bind: "r" }),
        end("End", variable("r")),
      ),
    );
    const seen = await compareWithReference(flow, { input: { n: 1 } });
    expect(callsOf(seen)).toEqual(['audit({"n":1})']);
    expect(outcomeOf(seen)).toMatchObject({ error: "Gone" });
  },
);
