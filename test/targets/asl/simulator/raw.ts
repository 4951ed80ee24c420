import type { Json, JsonObject } from "../../../../src/json.ts";
import {
  createScheduler,
  type ExecutionEnvironment,
  type MachineDefinition,
  StateError,
} from "../../../../targets/asl/simulator/environment.ts";
import { execute } from "../../../../targets/asl/simulator/execute.ts";

/** The result of a handwritten machine's execution. */
export interface ExecutionResult {
  readonly output?: Json;
  readonly error?: string | undefined;
  readonly cause?: string | undefined;
  /** The limits that it reached; absent: none. */
  readonly limits?: readonly string[];
}

/** Executes a machine whose Tasks return or throw given values, without delays. */
export async function executed(
  definition: MachineDefinition,
  input: Json,
  task: (state: string) => Json | Promise<Json>,
): Promise<ExecutionResult> {
  const limits: string[] = [];
  const environment: ExecutionEnvironment = {
    now: () => Date.UTC(2026, 0, 1),
    sleep: async () => undefined,
    scheduler: createScheduler(),
    visit: () => undefined,
    count: () => undefined,
    onLimit: (limit) => limits.push(limit),
    sideEffects: () => 0,
    stopEndlessLoop() {
      throw new Error("It goes round for ever.");
    },
    random: () => 0.5,
    uuid: () => "00000000-0000-4000-8000-000000000000",
    token: () => "token",
    taskToken: () => "token",
    execution: { Id: "execution", Name: "execution", RoleArn: "role", StartTime: "2026-01-01T00:00:00Z" },
    stateMachine: { Id: "machine", Name: "machine" },
    task: async ({ state }) => task(state),
  };
  try {
    const output = await execute(definition, input, environment, new AbortController().signal, []);
    return { output, ...(limits.length > 0 && { limits }) };
  } catch (failure) {
    if (!(failure instanceof StateError)) throw failure;
    return { error: failure.error, cause: failure.cause, ...(limits.length > 0 && { limits }) };
  }
}

/** A machine that starts with its first state. */
export const machineOf = (States: { readonly [name: string]: JsonObject }): MachineDefinition => ({
  StartAt: Object.keys(States)[0]!,
  States,
});
