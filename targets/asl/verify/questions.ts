import { parse } from "yaml";
import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import type { Machine } from "../simulator/environment.ts";

/** What one state does, as AWS and the interpreter of the project are asked for it. */
export interface Question {
  /** The machine, the branch or the item processor that has the state. */
  readonly machine: Machine;
  readonly state: string;
  readonly input: Json;
  /** What its task, its branches or its iterations give, or what they fail with; absent: it has none. */
  readonly mock: Mock | undefined;
}

/** What stands for a task in place of itself. */
export type Mock = { readonly result: Json } | { readonly error: string; readonly cause: string };

/** All that is asked of the states of a machine, of those in branches and iterations too: with each input, once for a result and once for a failure. */
export function questionsOf(machine: Machine, inputs: readonly Json[]): readonly Question[] {
  return Object.entries(machine.States).flatMap(([state, definition]) => [
    ...mocksFor(definition).flatMap((mock) => inputs.map((input) => ({ machine, state, input, mock }))),
    ...innerMachines(definition).flatMap((inner) => questionsOf(inner, inputs)),
  ]);
}

/** The machines in a Parallel or Map state. */
function innerMachines({ Branches = [], ItemProcessor }: JsonObject): readonly Machine[] {
  const branches = Branches as unknown as readonly Machine[];
  return ItemProcessor === undefined ? branches : [...branches, ItemProcessor as unknown as Machine];
}

const failure: Mock = { error: "States.TaskFailed", cause: "Asked by Waybill." };

/** What a state is asked with. A Wait state is not asked: AWS would wait. */
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

/** A response as an integration gives it. */
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

/** A machine as it could be deployed: substitutions are ARNs of nothing, by what they stand for. */
export function filledIn(text: string): JsonObject {
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

/** The context object, the same for both who are asked. */
export function contextOf({ state, input }: Question): { readonly [part: string]: JsonObject } {
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

/** The request for `TestState`. Its retries are over, so that a failure is caught or not. */
export function requestFor(question: Question, role: string | undefined): JsonObject {
  const { machine, state, input, mock } = question;
  return {
    definition: JSON.stringify({ QueryLanguage: "JSONata", StartAt: machine.StartAt, States: machine.States }),
    stateName: state,
    input: JSON.stringify(input),
    context: JSON.stringify(contextOf(question)),
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
