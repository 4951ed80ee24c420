import type { JsonObject } from "../../../src/json.ts";
import type { ExecutionEnvironment, MachineDefinition, VariableScope } from "./environment.ts";
import type { FieldEvaluator } from "./evaluator.ts";
import type { Variables } from "./limits.ts";

/** A running `States` object: a machine, a branch or an iteration. */
export interface ExecutionFrame {
  readonly environment: ExecutionEnvironment;
  /** The environment without the history limit. */
  readonly outer: ExecutionEnvironment;
  readonly evaluator: FieldEvaluator;
  readonly machine: MachineDefinition;
  readonly variables: VariableScope;
  /** The variables of all scopes of the execution. */
  readonly all: Variables;
  readonly position: readonly number[];
  readonly signal: AbortSignal;
  readonly context: JsonObject;
}
