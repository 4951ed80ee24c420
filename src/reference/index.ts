import type { SimulatedEnvironment } from "../environment/environment.ts";
import { inputError } from "../ir/inputs.ts";
import { limitRun } from "../ir/run-limit.ts";
import { startsOnEvents } from "../ir/starts.ts";
import { type ErrorValue, type Program, programOf, type Workflow } from "../ir/workflow.ts";
import type { Json } from "../json.ts";
import type { Outcome } from "../target/simulator.ts";
import { createActivities } from "./activities.ts";
import { indexSteps } from "./context.ts";
import { eventServiceOf } from "./events.ts";
import { RunEnd, StepFailure } from "./failure.ts";
import { runWorkflow } from "./run.ts";

/** A run of a workflow in an environment. Without an input, events start it if the workflow has start events. */
export interface ReferenceRun {
  readonly program: Program;
  readonly workflow: Workflow;
  readonly input?: Json | undefined;
  readonly environment: SimulatedEnvironment;
}

/**
 * The reference interpreter, which defines the meaning of the IR: the outputs of all targets are compared with it.
 */
export async function interpret({ environment, input, ...original }: ReferenceRun): Promise<Outcome> {
  const program = programOf(original.program.workflows.map(limitRun));
  const workflow = program.workflows[original.program.workflows.indexOf(original.workflow)] ?? original.workflow;
  const byEvents = input === undefined && startsOnEvents(workflow);
  const events = eventServiceOf(program, environment);
  const started = byEvents ? await events.untilStarted(workflow, environment) : undefined;
  environment.started();
  const invalid = inputError(workflow, input);
  if (invalid) return failed(invalid);
  const activities = createActivities();
  const counters = { emitted: { count: 0 }, detached: { count: 0 } };
  const given = {
    program,
    workflow,
    simulated: environment,
    steps: indexSteps(program),
    activities,
    events,
    ...counters,
  };
  const starting = {
    input: input === undefined ? {} : input,
    position: [],
    asSubflow: false,
    started,
    rootAge: events.nextAge(),
    depth: 0,
  };
  return new Promise((resolve, reject) => {
    activities.begin(
      () => runWorkflow(given, starting),
      [],
      (result) => {
        if ("value" in result) resolve({ status: "succeeded", output: result.value });
        else if (result.error instanceof StepFailure) resolve(failed(result.error.error));
        else if (result.error instanceof RunEnd) resolve(endingOf(result.error));
        else reject(result.error);
      },
    );
  });
}

const endingOf = ({ ending }: RunEnd): Outcome =>
  ending.kind === "leave" ? { status: "succeeded", output: ending.value } : failed(ending.error);

const failed = ({ origin, name, message, data }: ErrorValue): Outcome => ({
  status: "failed",
  error: { name, message, origin, ...(data === undefined ? {} : { data }) },
});
