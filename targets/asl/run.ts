import { stepsOf } from "../../src/ir/walk.ts";
import type { Step, Workflow } from "../../src/ir/workflow.ts";
import { type Json, type JsonObject, own } from "../../src/json.ts";
import type { Outcome, OutputFile, RunRequest } from "../../src/target.ts";
import type { World } from "../../src/world.ts";
import { carriedError } from "./errors.ts";
import { machinesOf } from "./index.ts";
import { type Environment, type Machine, StateError } from "./run/environment.ts";
import { execute } from "./run/execute.ts";
import { type Lambda, type Linkage, lambdaOf, performTask } from "./run/integrations.ts";

/** Executes what was emitted for a workflow, as AWS would, in a scenario's world. */
export async function run(request: RunRequest): Promise<Outcome> {
  request.world.started();
  try {
    return {
      status: "succeeded",
      output: await start(
        request,
        request.workflow,
        request.input === undefined ? {} : request.input,
        [],
        new AbortController().signal,
      ),
    };
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const { name, message, data } = carriedError(error.error, error.cause);
    return { status: "failed", error: { name, message, ...(data === undefined ? {} : { data }) } };
  }
}

/** Starts an execution of one machine of the program. */
function start(
  request: RunRequest,
  workflow: Workflow,
  input: Json,
  position: readonly number[],
  signal: AbortSignal,
): Promise<Json> {
  const { definition, stepOf, expressions, computes } = emitted(request, workflow);
  const { world, program } = request;
  const linkage: Linkage = {
    stepOf,
    expressions,
    computes,
    workflow: (id) => program.byId.get(id),
    start: (child, given, task, wait) =>
      start(request, child, given, [...position, ...task.position], wait ? task.signal : new AbortController().signal),
  };
  return execute(definition, input, environmentOf(world, workflow, linkage, position), signal);
}

/** The definition as it was written, the IR steps of its states by the map beside it, and the function that computes its expressions. */
function emitted(
  { program, files }: RunRequest,
  workflow: Workflow,
): {
  readonly definition: Machine;
  readonly stepOf: Linkage["stepOf"];
  readonly expressions: Lambda;
  readonly computes: string | undefined;
} {
  const { files: made, legal } = machinesOf(program).find((candidate) => candidate.workflow === workflow)!;
  const textOf = ({ path }: OutputFile): string => files.find((file) => file.path === path)!.text;
  const [machine, map] = made.map((file) =>
    file.path.endsWith(".json") ? (JSON.parse(textOf(file)) as JsonObject) : {},
  );
  const states = map!["states"] as { readonly [name: string]: JsonObject };
  const steps = new Map<string, Step>(stepsOf(legal.workflow).map((step) => [step.id, step] as const));
  const stepOf = (state: string) => {
    const id = own(states, state)?.["step"];
    return typeof id === "string" ? (steps.get(id) ?? steps.get(id.replace(/\/try(?: \d+)?$/, ""))) : undefined;
  };
  return {
    definition: machine as unknown as Machine,
    stepOf,
    expressions: lambdaOf(made[2] ? textOf(made[2]) : ""),
    computes: legal.expressions,
  };
}

function environmentOf(world: World, workflow: Workflow, linkage: Linkage, position: readonly number[]): Environment {
  let ids = 0;
  return {
    now: () => world.now(),
    sleep: (seconds, signal) => world.sleep(seconds, signal),
    task: (request) => performTask({ ...request, position: [...position, ...request.position] }, linkage, world),
    visit: (state) => world.visit(state),
    random: () => 0.5,
    uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
    execution: {
      Id: `arn:aws:states:::execution:${workflow.id}:${world.runId}`,
      Name: world.runId,
      RoleArn: "arn:aws:iam:::role/waybill",
      StartTime: new Date(world.now()).toISOString(),
    },
    stateMachine: { Id: `arn:aws:states:::stateMachine:${workflow.id}`, Name: workflow.id },
  };
}
