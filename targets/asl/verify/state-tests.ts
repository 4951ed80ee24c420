import { parse } from "yaml";
import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import type { MachineDefinition } from "../simulator/environment.ts";

/** A test of one state on AWS and in the simulator. */
export interface StateTest {
  readonly machine: MachineDefinition;
  readonly state: string;
  readonly input: Json;
  /** The mocked result or failure of its task, branches or iterations, if it has any. */
  readonly mock: Mock | undefined;
}

/** A mocked result or failure. */
export type Mock = { readonly result: Json } | { readonly error: string; readonly cause: string };

/** All tests of a machine's states, including nested ones: each input with a result and with a failure. */
export function stateTests(machine: MachineDefinition, inputs: readonly Json[]): readonly StateTest[] {
  return Object.entries(machine.States).flatMap(([state, definition]) => [
    ...mocksFor(definition).flatMap((mock) => inputs.map((input) => ({ machine, state, input, mock }))),
    ...innerMachines(definition).flatMap((inner) => stateTests(inner, inputs)),
  ]);
}

function innerMachines({ Branches = [], ItemProcessor }: JsonObject): readonly MachineDefinition[] {
  const branches = Branches as unknown as readonly MachineDefinition[];
  return ItemProcessor === undefined ? branches : [...branches, ItemProcessor as unknown as MachineDefinition];
}

const failure: Mock = { error: "States.TaskFailed", cause: "Mocked by Waybill." };

/** The mocks for a state. Wait states are not tested, because AWS would wait. */
function mocksFor(state: JsonObject): readonly (Mock | undefined)[] {
  switch (state["Type"]) {
    case "Wait":
      return [];
    case "Task":
      return [{ result: resultOf(String(state["Resource"])) }, failure];
    case "Parallel":
      return [{ result: (state["Branches"] as readonly Json[]).map(() => ({})) }, failure];
    case "Map":
      return [{ result: [] }, failure];
    default:
      return [undefined];
  }
}

function resultOf(resource: string): Json {
  const integration = resource.replace(/^arn:[^:]*:states:::/, "");
  switch (integration) {
    case "events:putEvents":
      return { FailedEntryCount: 0, Entries: [{ EventId: "1" }] };
    case "states:startExecution.sync:2":
      return { ExecutionArn: executionOf(machineArn("Started")), Status: "SUCCEEDED", Output: {} };
    case "http:invoke":
      return { StatusCode: 200, Headers: {}, ResponseBody: {} };
    case "lambda:invoke.waitForTaskToken":
      return { received: { alternative: null, events: [], groups: [] }, token: null };
    default:
      return {};
  }
}

const region = "us-east-1";
const account = "123456789012";
const machineArn = (name: string): string => `arn:aws:states:${region}:${account}:stateMachine:${name}`;
const executionOf = (machine: string): string => `${machine.replace(":stateMachine:", ":execution:")}:waybill`;

/** Fills substitutions in with fictitious ARNs. */
export function fillSubstitutions(text: string): JsonObject {
  const filled = (key: unknown, value: unknown): unknown => {
    const name = typeof value === "string" ? /^\$\{(\w+)\}$/.exec(value)?.[1]?.slice(0, 64) : undefined;
    if (name === undefined) return value;
    switch (key) {
      case "StateMachineArn":
        return machineArn(name);
      case "ConnectionArn":
        return `arn:aws:events:${region}:${account}:connection/${name}/00000000-0000-0000-0000-000000000000`;
      case "EventBusName":
        return `arn:aws:events:${region}:${account}:event-bus/${name}`;
      default:
        return `arn:aws:lambda:${region}:${account}:function:${name}`;
    }
  };
  return (text.startsWith("{") ? JSON.parse(text, filled) : parse(text, filled)) as JsonObject;
}

/** The context object for both sides. */
export function contextOf({ state, input }: StateTest): { readonly [part: string]: JsonObject } {
  const time = "2026-01-01T00:00:00.000Z";
  const machine = machineArn("waybill");
  return {
    Execution: {
      Id: executionOf(machine),
      Name: "waybill",
      RoleArn: `arn:aws:iam::${account}:role/waybill`,
      StartTime: time,
      Input: input,
    },
    State: { Name: state, EnteredTime: time, RetryCount: 0 },
    StateMachine: { Id: machine, Name: "waybill" },
    Task: { Token: "token" },
  };
}

/** The `TestState` request. Retries are exhausted, so that failures reach the catchers. */
export function testStateRequest(test: StateTest, role: string | undefined): JsonObject {
  const { machine, state, input, mock } = test;
  return {
    definition: JSON.stringify({ QueryLanguage: "JSONata", StartAt: machine.StartAt, States: machine.States }),
    stateName: state,
    input: JSON.stringify(input),
    context: JSON.stringify(contextOf(test)),
    inspectionLevel: "INFO",
    ...(mock && { mock: { ...mockOf(mock), fieldValidationMode: "NONE" } }),
    ...(mock && "error" in mock && retries(machine.States[state]!)),
    ...(role !== undefined && { roleArn: role }),
  };
}

const mockOf = (mock: Mock): JsonObject =>
  "result" in mock ? { result: JSON.stringify(mock.result) } : { errorOutput: { ...mock } };

const retries = (state: JsonObject): JsonObject =>
  isObject(state) && state["Retry"] !== undefined ? { stateConfiguration: { retrierRetryCount: 99_999_999 } } : {};
