import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../src/json.ts";
import { StateError } from "../../../../targets/asl/simulator/environment.ts";
import { executed, machineOf } from "./raw.ts";

// What names stand for in the interpreter is what they stand for on AWS: data of the context, and errors.

const over = { Type: "Succeed" };

/** A Map over two elements, with an `ItemSelector` and a state for each iteration. */
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

  test("is known in its ItemSelector", async () => {
    expect(await run(mapping(element, "{% $states.input %}"))).toEqual({ output: ["a", "b"] });
  });

  test.each(["Value", "Index"])("is not known within, by its %s", async (member) => {
    const seen = await run(mapping(undefined, `{% $states.context.Map.Item.${member} %}`));
    expect(seen).toMatchObject({ error: "States.QueryEvaluationError" });
    expect(seen.cause).toContain("returned nothing (undefined)");
  });

  test("is nothing that can be asked for within", async () => {
    const seen = await run(mapping(undefined, "{% $exists($states.context.Map) %}"));
    expect(seen).toEqual({ output: [false, false] });
  });

  test("is that of the inner Map in the ItemSelector of one within another", async () => {
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

/** Whether a catcher of the one name takes an error of the other. */
async function takes(name: string, error: string): Promise<boolean> {
  const Task = { Type: "Task", Resource: "r", End: true, Catch: [{ ErrorEquals: [name], Next: "Over" }] };
  const seen = await executed(machineOf({ Task, Over: over }), {}, () => {
    throw new StateError(error, undefined);
  });
  return seen.error === undefined;
}

describe("names of States.* in ErrorEquals are classes", () => {
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

  test("retries ask in the same way, and each counts for itself", async () => {
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
