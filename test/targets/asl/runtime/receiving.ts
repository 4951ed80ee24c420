import type { Json, JsonObject } from "../../../../src/json.ts";
import type { Definition, StartBehindWait } from "../../../../targets/asl/runtime/definition.ts";
import { createHandlers } from "../../../../targets/asl/runtime/handlers.ts";
import {
  createDynamoDB,
  type DynamoDBOptions,
  type SimulatedDynamoDB,
} from "../../../../targets/asl/simulator/dynamodb/index.ts";
import {
  createStepFunctions,
  type SimulatedStepFunctions,
  type StepFunctionsOptions,
} from "../../../../targets/asl/simulator/step-functions.ts";

/** Executions begin behind a wait for one alternative, with all that it has received. */
export const behindWait = (step: string): StartBehindWait => ({
  step,
  inputs: [({ token, ...received }) => ({ received, token })],
});

/** What a state that waits requests. */
export interface WaitOptions {
  readonly run?: string;
  readonly position?: readonly number[];
  readonly correlation?: Json;
  readonly values?: { readonly [key: string]: Json };
  readonly variables?: JsonObject;
  readonly task?: string;
  /** When the run began, in milliseconds. */
  readonly started?: number;
  /** The index of the workflow's module. */
  readonly by?: number;
}

/** A workflow's functions on simulated services, with Tasks that can be ended or stopped. */
export interface Scene {
  /** A state starts to wait. */
  wait(step: string, options?: WaitOptions): Promise<void>;
  /** A wait that discards unused events times out. */
  giveUp(step: string, options?: WaitOptions): Promise<void>;
  /** An event arrives. */
  event(type: string, id: string, attributes?: JsonObject): Promise<void>;
  /** The schedule calls `ingest`. */
  sweep(): Promise<void>;
  /** A Task times out or is stopped. */
  end(task: string): void;
  /** The ids of the events that ended Tasks, after the alternative; "nothing"; or an error. */
  readonly told: ReadonlyMap<string, string>;
  /** The ARNs of the executions that were started, and their inputs. */
  readonly started: readonly string[];
  readonly inputs: readonly string[];
  readonly dynamodb: SimulatedDynamoDB;
  readonly stepFunctions: SimulatedStepFunctions;
  now: number;
}

/** What a scene deviates in. */
export interface SceneOptions {
  readonly dynamodb?: DynamoDBOptions;
  readonly stepFunctions?: StepFunctionsOptions;
  /** Modules of other workflows of the group. Events arrive at the first. */
  readonly others?: readonly Definition[];
  readonly keptSeconds?: number;
  readonly maxItems?: number | undefined;
  /** An existing table. */
  readonly table?: SimulatedDynamoDB;
}

/** Creates a scene at the time 1000 ms, when all runs begin. */
export function createScene(definition: Definition, options: SceneOptions = {}): Scene {
  const time = { now: 1000 };
  const clock = {
    now: () => time.now,
    sleep: async (milliseconds: number) => {
      time.now += milliseconds;
    },
  };
  const dynamodb = options.table ?? createDynamoDB({ clock, ...options.dynamodb });
  const stepFunctions = createStepFunctions({ clock, ...options.stepFunctions });
  const host: Parameters<typeof createHandlers>[1] = {
    dynamodb,
    stepFunctions,
    table: "events",
    machines: { W: "arn:aws:states:eu-west-1:1:stateMachine:w", V: "arn:aws:states:eu-west-1:1:stateMachine:v" },
    starts: true,
    keptSeconds: options.keptSeconds,
    maxItems: options.maxItems,
    now: clock.now,
    pause: clock.sleep,
  };
  const modules = [definition, ...(options.others ?? [])].map((each) => createHandlers(each, host));
  const { ingest } = modules[0]!;
  const requestOf = (step: string, { run = "r", position = [], started = 1000, ...rest }: WaitOptions) => {
    const { correlation = null, values = {}, variables = {} } = rest;
    return { step, run, position, started: new Date(started).toISOString(), variables, correlation, values };
  };
  return {
    get now() {
      return time.now;
    },
    set now(now: number) {
      time.now = now;
    },
    dynamodb,
    stepFunctions,
    get told() {
      const ends = [...stepFunctions.results].filter(
        ([, end]) => end.kind === "succeeded" || end.error !== "States.Timeout",
      );
      return new Map(
        ends.map(([task, end]) => [task, end.kind === "failed" ? end.error : summary(JSON.parse(end.output))]),
      );
    },
    get started() {
      return stepFunctions.executions.map(({ arn }) => arn);
    },
    get inputs() {
      return stepFunctions.executions.map(({ input }) => input);
    },
    async wait(step, given = {}) {
      const task = given.task ?? given.run ?? "r";
      if (!stepFunctions.results.has(task)) stepFunctions.openTask(task, given.run ?? "r");
      await modules[given.by ?? 0]!.wait({ ...requestOf(step, given), task });
    },
    async giveUp(step, given = {}) {
      await modules[given.by ?? 0]!.wait(requestOf(step, given));
    },
    async event(type, id, attributes = {}) {
      const detail = { specversion: "1.0", type, source: "/s", id, ...attributes };
      await ingest({ id: `delivery of ${id}`, source: "/s", "detail-type": type, time: "", detail });
    },
    async sweep() {
      await ingest({ sweep: true });
    },
    end: (task) => stepFunctions.stopTask(task),
  };
}

function summary({ received }: { received: ReceivedSummary }): string {
  const { alternative, events, groups = [] } = received;
  if (alternative === null) return "nothing";
  return `${alternative}: ${(events ?? groups).map(({ event }) => event["id"]).join(" ")}`;
}

interface ReceivedSummary {
  readonly alternative: number | null;
  readonly events?: readonly { readonly event: JsonObject }[];
  readonly groups?: readonly { readonly event: JsonObject }[];
}
