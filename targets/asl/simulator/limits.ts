import type { Json } from "../../../src/json.ts";
import { maxHistoryEvents } from "../history.ts";
import { type ExecutionEnvironment, StateError, type VariableScope } from "./environment.ts";

/** Limit on the value of one expression, in bytes of JSON. */
export const maxValueBytes = 6_990_256;

/** Limit on the input and output of a state or Task, and on the variables that a state assigns, in bytes of JSON. */
const maxDataBytes = 262_144;

/** Limit on all variables of an execution, in bytes of JSON. */
const maxVariableBytes = 10 * 1024 * 1024;

/** Data with a limited size: what it is, and the state or the type of resource that it belongs to. */
export interface LimitedData {
  readonly kind: "input" | "output" | "assignment";
  readonly owner: string;
}

/** Fails if data exceeds Step Functions' limit. */
export function checkData<T extends Json>(
  value: T,
  { kind, owner }: LimitedData,
  { onLimit }: Pick<ExecutionEnvironment, "onLimit">,
): T {
  if (!exceedsBytes(value, maxDataBytes)) return value;
  onLimit?.(`The ${kind} of \`${owner}\` has more than 262,144 bytes, which Step Functions rejects.`);
  throw tooLarge(owner, kind === "output" ? "returned a result" : `has an ${kind}`);
}

/** Fails like the request `StartExecution` if the input of an execution exceeds its limit. */
export function checkExecutionInput(input: Json, onLimit: (limit: string) => void): void {
  if (!exceedsBytes(input, maxDataBytes)) return;
  onLimit("The input of the execution has more than 262,144 bytes, which Step Functions rejects.");
  if (JSON.stringify(input).length <= maxDataBytes)
    throw new StateError("InvalidExecutionInput", "Invalid State Machine Execution Input");
  const message = `Value at 'input' failed to satisfy constraint: Member must have length less than or equal to ${maxDataBytes}`;
  throw new StateError("ValidationException", `1 validation error detected: ${message}`);
}

/** The error of a state or Task whose data is too large, with the Cause of AWS. */
const tooLarge = (owner: string, what: string): StateError =>
  new StateError(
    "States.DataLimitExceeded",
    `The state/task '${owner}' ${what} with a size exceeding the maximum number of bytes service limit.`,
  );

/** `arn:aws:states:::lambda:invoke` → `lambda`. Other resources, such as functions, are named by their ARN. */
export const resourceType = (resource: string): string =>
  /^arn:[^:]*:states:[^:]*:[^:]*:(.+):[^:]+$/.exec(resource)?.[1] ?? resource;

/** The variables of an execution. */
export interface Variables {
  /** Assigns variables of a scope. Fails if all variables of the execution would be too large. */
  assign(scope: VariableScope, entries: readonly (readonly [string, Json])[], state: string): void;
  /** Forgets the variables of a branch or iteration that has ended. */
  release(scope: VariableScope): void;
}

/** Creates variables whose total size is limited. */
export function createVariables({ onLimit }: Pick<ExecutionEnvironment, "onLimit">): Variables {
  const sizes = new Map<VariableScope, Map<string, number>>();
  let total = 0;
  return {
    assign(scope, entries, state) {
      const known = sizes.get(scope) ?? new Map<string, number>();
      const assigned = entries.map(([name, value]) => [name, Buffer.byteLength(name) + jsonBytes(value)] as const);
      const after = assigned.reduce((sum, [name, size]) => sum + size - (known.get(name) ?? 0), total);
      if (after > maxVariableBytes) {
        onLimit?.(`With \`${state}\`, the variables have more than 10 MiB, which Step Functions rejects.`);
        throw tooLarge(state, "assigns variables");
      }
      total = after;
      for (const [name, size] of assigned) known.set(name, size);
      sizes.set(scope, known);
      for (const [name, value] of entries) scope.own.set(name, value);
    },
    release(scope) {
      for (const size of sizes.get(scope)?.values() ?? []) total -= size;
      sizes.delete(scope);
    },
  };
}

const jsonBytes = (value: Json): number => Buffer.byteLength(JSON.stringify(value));

/** Whether a value exceeds a size as JSON. Serializes it only if necessary. */
export function exceedsBytes(value: Json, most: number): boolean {
  if (typeof value !== "object" && typeof value !== "string") return false;
  return sizeBound(value, most) > most && jsonBytes(value) > most;
}

/** An upper bound of a value's size, computed until it exceeds `enough`. */
function sizeBound(value: Json, enough: number): number {
  if (typeof value === "string") return 2 + 6 * value.length;
  if (typeof value !== "object" || value === null) return 25;
  let size = 2;
  for (const [key, item] of Object.entries(value)) {
    size += 4 + 6 * key.length + sizeBound(item as Json, enough - size);
    if (size > enough) break;
  }
  return size;
}

/** Adds the history limit to an environment. Its error cannot be caught. */
export function withLimitedHistory(environment: ExecutionEnvironment): ExecutionEnvironment {
  let events = 0;
  return {
    ...environment,
    count(what, times) {
      environment.count(what, times);
      if (what !== "events of history") return;
      events += times;
      if (events <= maxHistoryEvents) return;
      const { Name: machine } = environment.stateMachine;
      environment.onLimit?.(`An execution of \`${machine}\` ends after 25,000 events of history.`);
      throw new StateError(
        "States.Runtime",
        `The execution reached the maximum number of history events (${maxHistoryEvents}).`,
      );
    },
  };
}
