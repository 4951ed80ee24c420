/**
 * The public face of the runtime: everything that modules of generated programs import, except the functions of their
 * expressions. Hosts import `internal.ts`.
 */

export type { Codec } from "./engine.ts";
export { type ErrorValue, errorOf, failure, type Problem, RunEnd, WorkflowError } from "./errors.ts";
export type {
  Alternative,
  CloudEvent,
  EmitOptions,
  EventDefinition,
  Pattern,
  Received,
  ReceivedEvent,
  ReceiveOptions,
  Wait,
  WaitVariables,
} from "./events.ts";
export type { Answer, CallbackOptions, Flow, Limits, Retry, Step, TaskStep } from "./flow.ts";
export { clock, id, random, secret } from "./functions/built-in.ts";
export { grpc } from "./functions/grpc.ts";
export { reflected } from "./functions/grpc-reflection.ts";
export type { Call } from "./functions/http.ts";
export { http } from "./functions/http.ts";
export { limited } from "./functions/limited.ts";
export { logLine } from "./functions/log.ts";
export { mysql } from "./functions/mysql.ts";
export { openapi } from "./functions/openapi.ts";
export { postgres } from "./functions/postgres.ts";
export { javascript, shell } from "./functions/process.ts";
export { request } from "./functions/request.ts";
export { oauth2 } from "./functions/token.ts";
export type { Json, JsonObject } from "./json.ts";
export { main } from "./main/main.ts";
export type { Sink } from "./main/sinks.ts";
export { type Outcome, runInMemory, type Surroundings } from "./memory.ts";
export { firstScalar } from "./rules.ts";
export { openEngine } from "./sqlite/engine.ts";
export { StoreError, type StoreFault } from "./sqlite/file.ts";
export { type AnyWorkflow, defineWorkflow, type Start, type Window, type Workflow, withOwn } from "./workflow.ts";
