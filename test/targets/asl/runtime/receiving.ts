import type { Json, JsonObject } from "../../../../src/json.ts";
import { createHandlers } from "../../../../targets/asl/runtime/handlers.ts";
import type { Definition } from "../../../../targets/asl/runtime/model.ts";
import { createDynamoDB, serviceError } from "../../../../targets/asl/simulator/dynamodb/index.ts";

/** A workflow's functions on an in-memory table, with tasks that can be completed or stopped. */
export interface Scene {
  /** A state starts to wait; `by` is its workflow if there are several. */
  wait(
    step: string,
    options?: { run?: string; position?: readonly number[]; correlation?: Json; task?: string; by?: number },
  ): Promise<void>;
  /** A wait that discards unused events times out. */
  giveUp(step: string, run?: string): Promise<void>;
  /** An event arrives. */
  event(type: string, id: string, attributes?: JsonObject): Promise<void>;
  /** A task times out or is stopped. */
  end(task: string): void;
  /** The types and ids of the events that completed tasks, or that none came. */
  readonly told: ReadonlyMap<string, string>;
  /** The ARNs of the executions that were started. */
  readonly started: readonly string[];
  /** The inputs of the started executions. */
  readonly inputs: readonly string[];
  now: number;
  /** Whether functions crash after they have started an execution. */
  isBreaking: boolean;
}

/** Creates an empty scene. `others` define the same waits in other workflows; events arrive at the first. */
export function createScene(definition: Definition, others: readonly Definition[] = []): Scene {
  const told = new Map<string, string>();
  const gone = new Set<string>();
  const started: string[] = [];
  const inputs: string[] = [];
  const scene = { now: 1000, isBreaking: false };
  const tell = (task: string, what: string): void => {
    if (told.has(task) || gone.has(task)) throw serviceError("TaskTimedOut");
    told.set(task, what);
  };
  const host: Parameters<typeof createHandlers>[1] = {
    dynamodb: createDynamoDB({ clock: { now: () => scene.now, sleep: async () => {} } }),
    stepFunctions: {
      sendTaskSuccess: async ({ taskToken, output }) => tell(taskToken, summary(JSON.parse(output))),
      sendTaskFailure: async ({ taskToken, error }) => tell(taskToken, error),
      startExecution: async ({ stateMachineArn, name, input }) => {
        inputs.push(input);
        started.push(`${stateMachineArn.replace(":stateMachine:", ":execution:")}:${name}`);
        if (scene.isBreaking) throw new Error("The function breaks off.");
      },
      getExecutionHistory: async () => ({ events: [] }),
    },
    table: "events",
    machines: { W: "arn:aws:states:eu-west-1:1:stateMachine:w", V: "arn:aws:states:eu-west-1:1:stateMachine:v" },
    starts: true,
    now: () => scene.now,
    pause: async () => {},
  };
  const all = [definition, ...others].map((each) => createHandlers(each, host));
  const { wait, ingest } = all[0]!;
  const asked = (step: string, run: string, position: readonly number[] = [], correlation: Json = null) => ({
    step,
    run,
    started: new Date(1000).toISOString(),
    position,
    variables: {},
    correlation,
  });
  return Object.assign(scene, {
    told,
    started,
    inputs,
    async wait(
      step: string,
      { run = "r", position, correlation, task = run, by = 0 }: Parameters<Scene["wait"]>[1] = {},
    ) {
      await all[by]!.wait({ ...asked(step, run, position, correlation), task });
    },
    async giveUp(step: string, run = "r") {
      await wait(asked(step, run));
    },
    async event(type: string, id: string, attributes: JsonObject = {}) {
      const detail = { specversion: "1.0", type, source: "/s", id, ...attributes };
      await ingest({ id: `delivery of ${id}`, source: "/s", "detail-type": type, time: "", detail });
    },
    end: (task: string) => void gone.add(task),
  });
}

function summary({ received }: { received: { alternative: number | null; events: { event: JsonObject }[] } }): string {
  if (received.alternative === null) return "nothing";
  return `${received.alternative}: ${received.events.map(({ event }) => event["id"]).join(" ")}`;
}
