import { expect, test } from "vitest";
import { durableLimits } from "./limits.ts";
import { createService } from "./service.ts";

type Checkpoint = ReturnType<typeof createService>["client"]["checkpoint"];
type Update = NonNullable<Parameters<Checkpoint>[0]["Updates"]>[number];

const step = (Id: string, rest: Partial<Update> = {}): Update => ({ Id, Type: "STEP", Action: "SUCCEED", ...rest });

/** Starts an execution. Returns a function that sends a checkpoint, and resolves to the error's message if it fails. */
async function executing(): Promise<(...updates: readonly Update[]) => Promise<string | undefined>> {
  const service = createService({ now: () => 0, at: () => undefined });
  const { promise: arn, resolve } = Promise.withResolvers<string>();
  const handler = (event: { readonly DurableExecutionArn: string }) => {
    resolve(event.DurableExecutionArn);
    return new Promise(() => undefined);
  };
  service.start(handler as never, "one", null);
  const DurableExecutionArn = await arn;
  let CheckpointToken: string | undefined = "1";
  return async (...Updates) => {
    try {
      const response = await service.client.checkpoint({ DurableExecutionArn, CheckpointToken, Updates: [...Updates] });
      CheckpointToken = response.CheckpointToken;
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
}

const refusal = (what: string) => `AWS Lambda does not accept ${what}.`;

test.each([
  ["Payload", "x".repeat(durableLimits.payload + 1), "a result of an operation over 256 KB"],
  ["Id", "i".repeat(65), `the operation id ${"i".repeat(65)}`],
  ["Name", "n".repeat(257), `the operation name ${"n".repeat(257)}`],
  ["Name", "ü", "the operation name ü"],
  ["WaitOptions", { WaitSeconds: 31_622_401 }, "31622401 seconds"],
  ["WaitOptions", { WaitSeconds: 0 }, "0 seconds"],
  ["StepOptions", { NextAttemptDelaySeconds: 1.5 }, "1.5 seconds"],
])("an update's %s is limited", async (member, value, what) => {
  const checkpoint = await executing();
  expect(await checkpoint(step("a", { [member]: value }))).toBe(refusal(what));
});

test("an update at the limits is accepted", async () => {
  const checkpoint = await executing();
  const Payload = "x".repeat(durableLimits.payload);
  expect(await checkpoint(step("i".repeat(64), { Name: "n".repeat(256), Payload }))).toBeUndefined();
});

test("a checkpoint has 250 updates and 750 KB", async () => {
  const checkpoint = await executing();
  const many = (count: number, Payload = "") => Array.from({ length: count }, (_, i) => step(`s${i}`, { Payload }));
  expect(await checkpoint(...many(250))).toBeUndefined();
  expect(await checkpoint(...many(251))).toBe(refusal("251 updates"));
  expect(await checkpoint(...many(2, "x".repeat(250_000)))).toBeUndefined();
  expect(await checkpoint(...many(4, "x".repeat(200_000)))).toBe(refusal("a checkpoint over 750 KB"));
});

test("an execution has 3,000 operations, one of which is the execution", async () => {
  const checkpoint = await executing();
  for (let from = 0; from < 2999; from += 250) {
    const batch = Array.from({ length: Math.min(250, 2999 - from) }, (_, i) => step(`s${from + i}`));
    expect(await checkpoint(...batch)).toBeUndefined();
  }
  expect(await checkpoint(step("s0"))).toBeUndefined();
  expect(await checkpoint(step("more"))).toBe(refusal("3001 operations"));
});

test("an execution stores 100 MB", async () => {
  const checkpoint = await executing();
  const Payload = "x".repeat(250_000);
  for (let i = 0; i < 200; i++)
    expect(await checkpoint(step(`a${i}`, { Payload }), step(`b${i}`, { Payload }))).toBeUndefined();
  expect(await checkpoint(step("more", { Payload: "x" }))).toBe(refusal("100000001 bytes in all"));
});

test("an execution starts with a short name and at most 1 MB", () => {
  const service = createService({ now: () => 0, at: () => undefined });
  const handler = (() => new Promise(() => undefined)) as never;
  const start = (name: string, payload: string) => () => service.start(handler, name, payload);
  expect(start("n".repeat(64), "x".repeat(1024 * 1024 - 2))).not.toThrow();
  expect(start("n".repeat(65), "")).toThrow("does not accept the execution name");
  expect(start("a b", "")).toThrow("does not accept the execution name");
  expect(start("b", "x".repeat(1024 * 1024 - 1))).toThrow("does not accept a payload over 1 MB");
});
