import type { Edge, StepEnd, StepStart } from "../environment/environment.ts";
import type { ErrorValue, Step, Workflow } from "../ir/workflow.ts";
import type { Json, JsonObject } from "../json.ts";

/** One execution of a step, with the data of its scope before and after it. Instants are in milliseconds since 1970. */
export interface TracedStep {
  readonly step: Step;
  readonly workflow: Workflow;
  /** Indexes of the enclosing branches and iterations, outermost first. */
  readonly position: readonly number[];
  readonly began: number;
  /** Undefined while it runs or waits. */
  readonly ended: number | undefined;
  /** The number of steps that ended before it; undefined while it runs or waits. */
  readonly rank: number | undefined;
  readonly before: ReadonlyMap<string, Json>;
  readonly after: ReadonlyMap<string, Json>;
  /** `stopped`: the step was cut off by a join, a timeout, or the failure of another branch. */
  readonly outcome: "running" | "done" | "failed" | "stopped";
  readonly error: ErrorValue | undefined;
  /** The edge by which control left the step. */
  readonly left: Edge | undefined;
  readonly calls: readonly TracedCall[];
  readonly emitted: readonly JsonObject[];
}

/** A call that a step made; a step that retries makes several. */
export interface TracedCall {
  readonly function: string;
  readonly argument: Json;
  readonly began: number;
  readonly ended: number | undefined;
  /** Undefined until it arrives. */
  readonly response: { readonly value: Json } | { readonly error: string } | undefined;
}

/** Records the steps of a run in the order in which they begin. */
export interface StepTrace {
  readonly steps: readonly TracedStep[];
  /** The number of steps beyond the limit, which are not recorded. */
  readonly dropped: number;
  begins(start: StepStart): (end: StepEnd) => void;
  /** Adds a call to the step that makes it. */
  called(name: string, argument: Json, position: readonly number[], now: () => number, response: Promise<Json>): void;
  emitted(event: JsonObject): void;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface OpenStep extends Mutable<Omit<TracedStep, "calls" | "emitted">> {
  readonly calls: Mutable<TracedCall>[];
  readonly emitted: JsonObject[];
}

/** Creates a trace of at most `limit` steps. */
export function createStepTrace(limit: number): StepTrace {
  const steps: OpenStep[] = [];
  const open = new Map<string, OpenStep>();
  let dropped = 0;
  let ends = 0;
  return {
    steps,
    get dropped() {
      return dropped;
    },
    begins({ step, workflow, position, at, variables }) {
      if (steps.length >= limit) {
        dropped += 1;
        return () => undefined;
      }
      const traced = openStep(step, workflow, position, at, new Map(variables));
      steps.push(traced);
      const place = position.join();
      const around = open.get(place);
      open.set(place, traced);
      return ({ outcome, error, left, at: ended, variables: after }) => {
        Object.assign(traced, { outcome, error, left, ended, rank: ends++, after: new Map(after) });
        if (around) open.set(place, around);
        else open.delete(place);
      };
    },
    called(name, argument, position, now, response) {
      const step = open.get(position.join());
      if (!step) return;
      const call: Mutable<TracedCall> = {
        function: name,
        argument,
        began: now(),
        ended: undefined,
        response: undefined,
      };
      step.calls.push(call);
      const settle = (settled: NonNullable<TracedCall["response"]>): void => {
        call.response = settled;
        call.ended = now();
      };
      response.then(
        (value) => settle({ value }),
        (error: unknown) => settle({ error: error instanceof Error ? describeError(error) : String(error) }),
      );
    },
    emitted(event) {
      steps.findLast(({ outcome }) => outcome === "running")?.emitted.push(event);
    },
  };
}

const describeError = ({ name, message }: Error): string => (message === "" ? name : `${name}: ${message}`);

const openStep = (
  step: Step,
  workflow: Workflow,
  position: readonly number[],
  began: number,
  before: ReadonlyMap<string, Json>,
): OpenStep => ({
  step,
  workflow,
  position,
  began,
  ended: undefined,
  rank: undefined,
  before,
  after: before,
  outcome: "running",
  error: undefined,
  left: undefined,
  calls: [],
  emitted: [],
});
