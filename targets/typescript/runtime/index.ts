export { type ErrorValue, errorOf, failure, RunEnd, WorkflowError } from "./errors.ts";
export type { Alternative, CloudEvent, EventDefinition, Pattern, Received, Taken, Wait } from "./events.ts";
export type { Answer, Flow, Limits, Retry, Step } from "./flow.ts";
export type { Json, JsonObject } from "./json.ts";
export { type Outcome, runInMemory, type Surroundings } from "./memory.ts";
export { type AnyWorkflow, defineWorkflow, type Start, type Window, type Workflow } from "./workflow.ts";
