import type { durable } from "../../../targets/typescript/runtime/hosts/lambda/index.ts";
import { checkStart, checkUpdates } from "./limits.ts";

type DurableHandler = ReturnType<typeof durable>;
type DurableClient = NonNullable<NonNullable<Parameters<typeof durable>[1]>["client"]>;
type CheckpointRequest = Parameters<DurableClient["checkpoint"]>[0];
type OperationUpdate = NonNullable<CheckpointRequest["Updates"]>[number];
type InvocationOutput = Awaited<ReturnType<DurableHandler>>;
type DurableOperation = NonNullable<Awaited<ReturnType<DurableClient["getExecutionState"]>>["Operations"]>[number];

/** The result of an execution. */
export type DurableExecutionResult =
  | { readonly result: string | undefined }
  | { readonly error: NonNullable<Extract<InvocationOutput, { Error: unknown }>["Error"]> }
  | { readonly isStopped: true };

/** A simulated AWS Lambda with its limits: it stores the operations of durable executions and invokes their functions. */
export interface LambdaService {
  readonly client: DurableClient;
  /** The number of requests so far. */
  readonly requestCount: () => number;
  /** Starts an execution, or returns the existing one of that name; throws if its payload differs. */
  start(handler: DurableHandler, name: string, payload: unknown): DurableExecution;
  /** All executions in order of their start. */
  executions(): readonly DurableExecution[];
  /** Stops an execution; false if it has ended. */
  stop(name: string): boolean;
  /** Invokes the function again for one or all active executions; previous invocations are lost. */
  reinvoke(name?: string): void;
  completeCallback(id: string, result: string): void;
}

/** A durable execution. */
export interface DurableExecution {
  readonly name: string;
  readonly payload: unknown;
  readonly startedAt: number;
  readonly ended: Promise<DurableExecutionResult>;
  /** Undefined while active. */
  readonly outcome: () => DurableExecutionResult | undefined;
  readonly isInvoked: () => boolean;
  readonly invocations: () => number;
  readonly operations: () => readonly DurableOperation[];
}

/** The clock of the service. */
export interface ServiceClock {
  now(): number;
  at(instant: number, fire: () => void): void;
}

interface ExecutionState {
  readonly execution: DurableExecution;
  readonly arn: string;
  readonly handler: DurableHandler;
  readonly operations: Map<string, DurableOperation>;
  readonly changed: Set<string>;
  readonly end: (ended: DurableExecutionResult) => void;
  /** The bytes of all results. */
  bytes: number;
  token: number;
  invocations: number;
  isInvoked: boolean;
  outcome: DurableExecutionResult | undefined;
}

/** Creates an empty service; `isLost(n)` loses an invocation before request n, `isLost(-n)` after it. */
export function createService(time: ServiceClock, isLost: (request: number) => boolean = () => false): LambdaService {
  const states = new Map<string, ExecutionState>();
  let requests = 0;
  const change = (state: ExecutionState, id: string, operation: Partial<DurableOperation>) => {
    state.operations.set(id, { ...state.operations.get(id), ...operation } as DurableOperation);
    state.changed.add(id);
  };
  const settleWaits = (state: ExecutionState) => {
    for (const [id, { Type, Status, WaitDetails, StepDetails }] of state.operations) {
      const due = Number(WaitDetails?.ScheduledEndTimestamp ?? StepDetails?.NextAttemptTimestamp ?? Number.NaN);
      if (due > time.now() || Number.isNaN(due)) continue;
      if (Type === "WAIT" && Status === "STARTED")
        change(state, id, { Status: "SUCCEEDED", EndTimestamp: new Date(due) });
      if (Type === "STEP" && Status === "PENDING") change(state, id, { Status: "READY" });
    }
  };
  const invokeIfChanged = (state: ExecutionState) => {
    settleWaits(state);
    if (!state.isInvoked && !state.outcome && state.changed.size > 0) invoke(state);
  };
  const apply = (state: ExecutionState, update: OperationUpdate) => {
    const id = update.Id!;
    const [at, known] = [new Date(time.now()), state.operations.get(id)];
    const { Type, SubType, Name, ParentId, Action, Payload } = update;
    if (Action === "START") {
      const begun: Partial<DurableOperation> = {
        Id: id,
        Type,
        SubType,
        Name,
        ParentId,
        StartTimestamp: at,
        Status: "STARTED",
      };
      if (Type === "WAIT") {
        const due = time.now() + update.WaitOptions!.WaitSeconds! * 1000;
        time.at(due, () => invokeIfChanged(state));
        change(state, id, { ...begun, WaitDetails: { ScheduledEndTimestamp: new Date(due) } });
      } else if (Type === "CALLBACK")
        change(state, id, { ...begun, CallbackDetails: { CallbackId: `${state.arn} ${id}` } });
      else change(state, id, { ...begun, ...(known?.StepDetails && { StepDetails: known.StepDetails }) });
    } else if (Action === "RETRY") {
      const due = time.now() + update.StepOptions!.NextAttemptDelaySeconds! * 1000;
      time.at(due, () => invokeIfChanged(state));
      const attempt = (known?.StepDetails?.Attempt ?? 0) + 1;
      change(state, id, { Status: "PENDING", StepDetails: { Attempt: attempt, NextAttemptTimestamp: new Date(due) } });
    } else {
      const details = { Result: Payload, Error: update.Error };
      const Status = Action === "SUCCEED" ? "SUCCEEDED" : "FAILED";
      change(state, id, {
        Status,
        EndTimestamp: at,
        ...(Type === "CONTEXT" ? { ContextDetails: details } : { StepDetails: details }),
      });
      if (Type === "EXECUTION") finish(state, { result: Payload });
    }
  };
  const finish = (state: ExecutionState, ended: DurableExecutionResult) => {
    if (state.outcome) return;
    state.outcome = ended;
    state.end(ended);
  };
  const invoke = (state: ExecutionState) => {
    state.isInvoked = true;
    state.invocations += 1;
    state.token += 1;
    const updated = [...state.changed];
    state.changed.clear();
    const event = {
      DurableExecutionArn: state.arn,
      CheckpointToken: `${state.token}`,
      UpdatedOperationIds: updated,
      InitialExecutionState: { Operations: structuredClone([...state.operations.values()]), NextMarker: "" },
    };
    const invocation = state.invocations;
    const onReturn = ({ Status, ...output }: InvocationOutput) => {
      if (state.invocations !== invocation || state.outcome) return;
      state.isInvoked = false;
      if (Status === "FAILED" && "Error" in output) finish(state, { error: output.Error });
      else if (Status === "SUCCEEDED") finish(state, { result: "Result" in output ? output.Result : undefined });
      else invokeIfChanged(state);
    };
    state.handler(event as never, lambdaContext as never).then(onReturn, (thrown: unknown) => {
      if (state.invocations === invocation)
        finish(state, { error: { ErrorType: "Invocation", ErrorMessage: String(thrown) } });
    });
  };
  const client: DurableClient = {
    async getExecutionState() {
      throw new Error("All operations are in the first page.");
    },
    async checkpoint({ DurableExecutionArn: arn, CheckpointToken, Updates = [] }) {
      requests += 1;
      const state = states.get(arn!)!;
      if (CheckpointToken !== `${state.token}` || state.outcome) return new Promise(() => undefined);
      if (isLost(requests)) {
        invoke(state);
        return new Promise(() => undefined);
      }
      state.bytes += checkUpdates(Updates, state);
      for (const update of Updates) apply(state, update);
      state.token += 1;
      const changed = [...state.changed].map((id) => state.operations.get(id)!);
      state.changed.clear();
      if (isLost(-requests)) {
        invoke(state);
        return new Promise(() => undefined);
      }
      return {
        CheckpointToken: `${state.token}`,
        NewExecutionState: { Operations: structuredClone(changed), NextMarker: "" },
      };
    },
  };
  return {
    client,
    requestCount: () => requests,
    start(handler, name, payload) {
      const existing = [...states.values()].find(({ execution }) => execution.name === name)?.execution;
      if (existing && JSON.stringify(existing.payload) !== JSON.stringify(payload)) throw alreadyStarted(name);
      if (existing) return existing;
      checkStart(name, JSON.stringify(payload) ?? "");
      const { promise: ended, resolve: end } = Promise.withResolvers<DurableExecutionResult>();
      const arn = `arn:aws:lambda:eu-west-1:123456789012:function:app:live/durable-execution/${name}/1`;
      const first = { Id: "0", Type: "EXECUTION", Status: "STARTED", StartTimestamp: new Date(time.now()) };
      const started = { ...first, ExecutionDetails: { InputPayload: JSON.stringify(payload) } } as DurableOperation;
      const execution: DurableExecution = {
        name,
        payload,
        startedAt: time.now(),
        ended,
        outcome: () => state.outcome,
        isInvoked: () => state.isInvoked,
        invocations: () => state.invocations,
        operations: () => [...state.operations.values()],
      };
      const state: ExecutionState = {
        execution,
        arn,
        handler,
        operations: new Map([["0", started]]),
        changed: new Set(),
        end,
        bytes: 0,
        token: 0,
        invocations: 0,
        isInvoked: false,
        outcome: undefined,
      };
      states.set(arn, state);
      invoke(state);
      return execution;
    },
    executions: () => [...states.values()].map(({ execution }) => execution),
    stop(name) {
      const state = [...states.values()].find(({ execution }) => execution.name === name);
      if (!state || state.outcome) return false;
      finish(state, { isStopped: true });
      return true;
    },
    reinvoke(name) {
      for (const state of states.values()) {
        if (state.outcome || (name !== undefined && state.execution.name !== name)) continue;
        settleWaits(state);
        invoke(state);
      }
    },
    completeCallback(id, result) {
      const [arn, operation] = id.split(" ") as [string, string];
      const state = states.get(arn)!;
      const { CallbackDetails } = state.operations.get(operation)!;
      change(state, operation, { Status: "SUCCEEDED", CallbackDetails: { ...CallbackDetails, Result: result } });
      invokeIfChanged(state);
    },
  };
}

const alreadyStarted = (name: string): Error =>
  Object.assign(new Error(`There is an execution ${name} with another payload.`), {
    name: "DurableExecutionAlreadyStartedException",
  });

const lambdaContext = {
  functionName: "app",
  functionVersion: "1",
  invokedFunctionArn: "arn:aws:lambda:eu-west-1:123456789012:function:app:live",
  awsRequestId: "request",
  getRemainingTimeInMillis: () => 900_000,
};
