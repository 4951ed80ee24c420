import { expect, test } from "vitest";
import { expectExact, moduleText, programOf, returning } from "./emitting.ts";

const retried = (error: string, more: object) => ({
  Type: "Task",
  Resource: `\${f}`,
  Retry: [{ ErrorEquals: [error], MaxAttempts: 2 }],
  ...more,
});

test("retries that steps have in common are one constant, whose name no variable hides", {
  timeout: 30_000,
}, async () => {
  const program = programOf([
    {
      QueryLanguage: "JSONata",
      StartAt: "A",
      States: {
        A: retried("Busy", { Assign: { retries: "{% $states.result %}" }, Next: "B" }),
        B: retried("Busy", { Next: "C" }),
        C: retried("Late", { Output: "{% $retries %}", End: true }),
      },
    },
  ]);
  const [name] = program.workflows.map(({ id }) => id);
  const text = await moduleText(program, name!);
  expect(text.match(/"Busy"/g)).toHaveLength(1);
  expect(text.match(/: readonly Retry\[\] = /g)).toHaveLength(1);
  const ended = { status: "succeeded", output: 7 };
  expect(await expectExact(program, [{}], () => returning(() => 7))).toMatchObject({ ended });
});
