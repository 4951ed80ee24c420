import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../src/json.ts";
import { StateError } from "../../../../targets/asl/simulator/environment.ts";
import { executed, machineOf } from "./raw.ts";

// Names of context data and errors mean the same in the simulator as on AWS.

const over = { Type: "Succeed" };

/** A Map over two elements, with an `ItemSelector` and one state per iteration. */
const mapping = (ItemSelector: Json | undefined, Output: Json): JsonObject => ({
  Type: "Map",
  Items: ["a", "b"],
  ...(ItemSelector === undefined ? {} : { ItemSelector }),
  ItemProcessor: { ...machineOf({ Each: { Type: "Pass", Output, End: true } }) },
  End: true,
});

const run = (state: JsonObject) => executed(machineOf({ All: state }), {}, () => null);

describe("the element of a Map", () => {
  const element = "{% $states.context.Map.Item.Value %}";

  test("is available in its ItemSelector", async () => {
    expect(await run(mapping(element, "{% $states.input %}"))).toEqual({ output: ["a", "b"] });
  });

  test.each(["Value", "Index"])("is not available within, by its %s", async (member) => {
    const seen = await run(mapping(undefined, `{% $states.context.Map.Item.${member} %}`));
    expect(seen).toMatchObject({ error: "States.QueryEvaluationError" });
    expect(seen.cause).toContain("returned nothing (undefined)");
  });

  test("cannot be tested for within", async () => {
    const seen = await run(mapping(undefined, "{% $exists($states.context.Map) %}"));
    expect(seen).toEqual({ output: [false, false] });
  });

  test("is the inner Map's in the ItemSelector of a nested Map", async () => {
    const inner = mapping(`{% $states.input & $states.context.Map.Item.Value %}`, "{% $states.input %}");
    const outer = { ...mapping(undefined, null), ItemProcessor: machineOf({ Inner: inner }) as unknown as JsonObject };
    expect(await run(outer)).toEqual({
      output: [
        ["aa", "ab"],
        ["ba", "bb"],
      ],
    });
  });
});

/** Whether a catcher of one name matches an error of another. */
async function takes(name: string, error: string): Promise<boolean> {
  const Task = { Type: "Task", Resource: "r", End: true, Catch: [{ ErrorEquals: [name], Next: "Over" }] };
  const seen = await executed(machineOf({ Task, Over: over }), {}, () => {
    throw new StateError(error, undefined);
  });
  return seen.error === undefined;
}

describe("States.* names in ErrorEquals match classes of errors", () => {
  test.each([
    ["States.ALL", "Busy", true],
    ["States.ALL", "States.Timeout", true],
    ["States.ALL", "States.HeartbeatTimeout", true],
    ["States.ALL", "States.QueryEvaluationError", true],
    ["States.ALL", "States.DataLimitExceeded", true],
    ["States.ALL", "States.Runtime", false],
    ["States.TaskFailed", "Busy", true],
    ["States.TaskFailed", "Lambda.TooManyRequestsException", true],
    ["States.TaskFailed", "States.Permissions", true],
    ["States.TaskFailed", "States.QueryEvaluationError", true],
    ["States.TaskFailed", "States.DataLimitExceeded", true],
    ["States.TaskFailed", "States.Timeout", false],
    ["States.TaskFailed", "States.HeartbeatTimeout", false],
    ["States.TaskFailed", "States.Runtime", false],
    ["States.Timeout", "States.Timeout", true],
    ["States.Timeout", "States.HeartbeatTimeout", true],
    ["States.Timeout", "Timeout", false],
    ["States.HeartbeatTimeout", "States.Timeout", false],
    ["Busy", "Busy", true],
    ["Busy", "busy", false],
    ["Busy", "States.TaskFailed", false],
  ])("%s, of %s: %s", async (name, error, expected) => {
    expect(await takes(name, error)).toBe(expected);
  });

  test("retriers match the same way, and count separately", async () => {
    const Retry = [
      { ErrorEquals: ["States.Timeout"], MaxAttempts: 1 },
      { ErrorEquals: ["States.TaskFailed"], MaxAttempts: 2 },
    ];
    const errors = ["Busy", "States.Timeout", "Busy", "Busy"];
    const attempts: string[] = [];
    const seen = await executed(machineOf({ Task: { Type: "Task", Resource: "r", Retry, End: true } }), {}, () => {
      const error = errors[attempts.length]!;
      attempts.push(error);
      throw new StateError(error, undefined);
    });
    expect({ attempts, error: seen.error }).toEqual({ attempts: errors, error: "Busy" });
  });
});
