import { expect, test } from "vitest";
import { serviceError } from "../../../../targets/asl/simulator/dynamodb/index.ts";
import { createStepFunctions, maxDataBytes } from "../../../../targets/asl/simulator/step-functions.ts";

const execution = "arn:aws:states:eu-west-1:1:execution:w:one";
const stateMachineArn = "arn:aws:states:eu-west-1:1:stateMachine:w";
const nameOf = async (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: Error) => error.name,
  );

test("a Task ends once, and the history of its execution has the result", async () => {
  const ended: string[] = [];
  const client = createStepFunctions({ onTaskEnd: (token) => ended.push(token) });
  client.openTask("a", execution);
  client.openTask("b", execution);
  expect(await nameOf(client.sendTaskSuccess({ taskToken: "a", output: "1" }))).toBeUndefined();
  expect(await nameOf(client.sendTaskFailure({ taskToken: "b", error: "E", cause: "c" }))).toBeUndefined();
  expect(await nameOf(client.sendTaskSuccess({ taskToken: "a", output: "2" }))).toBe("TaskTimedOut");
  expect(await nameOf(client.sendTaskSuccess({ taskToken: "c", output: "2" }))).toBe("TaskDoesNotExist");
  expect(await nameOf(client.sendTaskSuccess({ taskToken: "x".repeat(2049), output: "2" }))).toBe("InvalidToken");
  expect(ended).toEqual(["a", "b"]);
  const request = { executionArn: execution, reverseOrder: true, maxResults: 1 };
  const first = await client.getExecutionHistory(request);
  expect(first.events).toEqual([{ taskFailedEventDetails: { error: "E", cause: "c" } }]);
  const second = await client.getExecutionHistory({ ...request, nextToken: first.nextToken });
  expect(second).toEqual({ events: [{ taskSucceededEventDetails: { output: "1" } }] });
});

test("a stopped Task cannot be completed", async () => {
  const client = createStepFunctions();
  client.openTask("a", execution);
  client.stopTask("a");
  expect(await nameOf(client.sendTaskSuccess({ taskToken: "a", output: "1" }))).toBe("TaskTimedOut");
  expect((await client.getExecutionHistory({ executionArn: execution })).events).toEqual([]);
});

test("an output has at most 256 KiB, and an invalid one leaves the Task waiting", async () => {
  const client = createStepFunctions();
  const output = (length: number, letter = "x") => JSON.stringify(letter.repeat(length - 2));
  client.openTask("a", execution);
  const send = (text: string) => nameOf(client.sendTaskSuccess({ taskToken: "a", output: text }));
  expect(await send(output(maxDataBytes + 1))).toBe("ValidationException");
  expect(await send(output(maxDataBytes / 2 + 2, "é"))).toBe("InvalidOutput");
  expect(await send("{")).toBe("InvalidOutput");
  expect(await send(output(maxDataBytes))).toBeUndefined();
  const cause = "x".repeat(32_769);
  expect(await nameOf(client.sendTaskFailure({ taskToken: "a", error: "E", cause }))).toBe("ValidationException");
});

test("an execution starts once: again with the same input nothing happens, and another input is refused", async () => {
  const started: string[] = [];
  const client = createStepFunctions({ onStart: ({ arn }) => started.push(arn) });
  const start = (name: string, input: string) => client.startExecution({ stateMachineArn, name, input });
  expect(await start("one", "{}")).toEqual({ executionArn: execution });
  expect(await start("one", "{}")).toEqual({ executionArn: execution });
  expect(await nameOf(start("one", '{"a":1}'))).toBe("ExecutionAlreadyExists");
  client.endExecution(execution);
  expect(await nameOf(start("one", "{}"))).toBe("ExecutionAlreadyExists");
  expect(await nameOf(start("x".repeat(81), "{}"))).toBe("InvalidName");
  expect(await nameOf(start("a b", "{}"))).toBe("InvalidName");
  expect(await nameOf(start("two", "{"))).toBe("InvalidExecutionInput");
  expect(started).toEqual([execution]);
  expect(client.executions.map(({ name }) => name)).toEqual(["one"]);
});

test("requests can be throttled, or lose their responses", async () => {
  let isApplied = false;
  const error = serviceError("ThrottlingException");
  const client = createStepFunctions({ fault: () => ({ error, isApplied }) });
  client.openTask("a", execution);
  const send = () => nameOf(client.sendTaskSuccess({ taskToken: "a", output: "1" }));
  expect([await send(), client.results.size]).toEqual(["ThrottlingException", 0]);
  isApplied = true;
  expect([await send(), client.results.size]).toEqual(["ThrottlingException", 1]);
});
