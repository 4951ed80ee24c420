import type { SimulatedEnvironment } from "../environment/environment.ts";
import { createStepTrace, type StepTrace } from "./trace.ts";

/** Traces the steps of runs on the reference: `observe` is an option of `openScenarios`. */
export interface Tracer {
  observe(environment: SimulatedEnvironment): SimulatedEnvironment;
  /** The traces of the runs, in the order in which their environments were created. */
  readonly runs: readonly { readonly id: string; readonly trace: StepTrace }[];
}

/** Creates a tracer that records at most `limit` steps of each run. */
export function createTracer(limit: number): Tracer {
  const runs: { readonly id: string; readonly trace: StepTrace }[] = [];
  return {
    runs,
    observe(environment) {
      const trace = createStepTrace(limit);
      runs.push({ id: environment.runId, trace });
      const { recorder } = environment;
      return {
        ...environment,
        ...(recorder && { recorder: { ...recorder, begins: trace.begins } }),
        call(name, argument, site) {
          const response = environment.call(name, argument, site);
          trace.called(name, argument, site.position, environment.now, response);
          return response;
        },
        emit(event) {
          environment.emit(event);
          trace.emitted(event);
        },
      };
    },
  };
}
