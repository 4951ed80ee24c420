import type { durable } from "../../../targets/typescript/runtime/hosts/lambda/index.ts";

type Handler = ReturnType<typeof durable>;
type Client = NonNullable<NonNullable<Parameters<typeof durable>[1]>["client"]>;
type Request = Parameters<Client["checkpoint"]>[0];
type Update = NonNullable<Request["Updates"]>[number];
type Output = Awaited<ReturnType<Handler>>;
type Operation = NonNullable<Awaited<ReturnType<Client["getExecutionState"]>>["Operations"]>[number];

/** How an execution ended. */
export type Ended =
  | { readonly result: string | undefined }
  | { readonly error: NonNullable<Extract<Output, { Error: unknown }>["Error"]> }
  | { readonly isStopped: true };

/** What stands for the service of AWS Lambda: it keeps the operations of executions, and invokes the function when one may go on. */
export interface Service {
  readonly client: Client;
  /** How often it was asked for something. */
  readonly asked: () => number;
  /** Starts an execution; one of the same name and payload is there already, and one of another payload is in the way. */
  start(handler: Handler, name: string, payload: unknown): Execution;
  /** All that were started, the first one first. */
  executions(): readonly Execution[];
  /** Ends an execution that goes on; false where it is over. */
  stop(name: string): boolean;
  /** Invokes the function again for one that goes on, or for all: what was invoked is lost. */
  again(name?: string): void;
  /** A callback has come. */
  callBack(id: string, result: string): void;
}

/** An execution of the service. */
export interface Execution {
  readonly name: string;
  readonly payload: unknown;
  readonly began: number;
  readonly ended: Promise<Ended>;
  /** How it has ended; undefined where it goes on. */
  readonly outcome: () => Ended | undefined;
  readonly isInvoked: () => boolean;
  readonly invocations: () => number;
  readonly operations: () => readonly Operation[];
}

/** Time as the service knows it. */
export interface Timing {
  now(): number;
  /** Calls back at an instant. */
  at(instant: number, fire: () => void): void;
}

interface State {
  readonly execution: Execution;
  readonly arn: string;
  readonly handler: Handler;
  readonly operations: Map<string, Operation>;
  readonly changed: Set<string>;
  readonly end: (ended: Ended) => void;
  token: number;
  invocations: number;
  isInvoked: boolean;
  outcome: Ended | undefined;
}

/** A service with nothing in it; `dies` tells after which request an invocation is lost. */
export function createService(time: Timing, dies: (request: number) => boolean = () => false): Service {
  const states = new Map<string, State>();
  let asked = 0;
  const change = (state: State, id: string, operation: Partial<Operation>) => {
    state.operations.set(id, { ...state.operations.get(id), ...operation } as Operation);
    state.changed.add(id);
  };
  const settleWaits = (state: State) => {
    for (const [id, { Type, Status, WaitDetails, StepDetails }] of state.operations) {
      const due = Number(WaitDetails?.ScheduledEndTimestamp ?? StepDetails?.NextAttemptTimestamp ?? Number.NaN);
      if (due > time.now() || Number.isNaN(due)) continue;
      if (Type === "WAIT" && Status === "STARTED")
        change(state, id, { Status: "SUCCEEDED", EndTimestamp: new Date(due) });
      if (Type === "STEP" && Status === "PENDING") change(state, id, { Status: "READY" });
    }
  };
  const awake = (state: State) => {
    settleWaits(state);
    if (!state.isInvoked && !state.outcome && state.changed.size > 0) invoke(state);
  };
  const apply = (state: State, update: Update) => {
    const id = update.Id!;
    const [at, known] = [new Date(time.now()), state.operations.get(id)];
    const { Type, SubType, Name, ParentId, Action, Payload } = update;
    if (Action === "START") {
      const begun: Partial<Operation> = {
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
        time.at(due, () => awake(state));
        change(state, id, { ...begun, WaitDetails: { ScheduledEndTimestamp: new Date(due) } });
      } else if (Type === "CALLBACK")
        change(state, id, { ...begun, CallbackDetails: { CallbackId: `${state.arn} ${id}` } });
      else change(state, id, { ...begun, ...(known?.StepDetails && { StepDetails: known.StepDetails }) });
    } else if (Action === "RETRY") {
      const due = time.now() + update.StepOptions!.NextAttemptDelaySeconds! * 1000;
      time.at(due, () => awake(state));
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
      if (Type === "EXECUTION") over(state, { result: Payload });
    }
  };
  const over = (state: State, ended: Ended) => {
    if (state.outcome) return;
    state.outcome = ended;
    state.end(ended);
  };
  const invoke = (state: State) => {
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
    const mine = state.invocations;
    const returned = ({ Status, ...output }: Output) => {
      if (state.invocations !== mine || state.outcome) return;
      state.isInvoked = false;
      if (Status === "FAILED" && "Error" in output) over(state, { error: output.Error });
      else if (Status === "SUCCEEDED") over(state, { result: "Result" in output ? output.Result : undefined });
      else awake(state);
    };
    state.handler(event as never, lambdaContext as never).then(returned, (thrown: unknown) => {
      if (state.invocations === mine) over(state, { error: { ErrorType: "Invocation", ErrorMessage: String(thrown) } });
    });
  };
  const client: Client = {
    async getExecutionState() {
      throw new Error("All operations are in the first page.");
    },
    async checkpoint({ DurableExecutionArn: arn, CheckpointToken, Updates = [] }) {
      asked += 1;
      const state = states.get(arn!)!;
      if (CheckpointToken !== `${state.token}` || state.outcome) return new Promise(() => undefined);
      if (dies(asked)) {
        invoke(state);
        return new Promise(() => undefined);
      }
      for (const update of Updates) apply(state, update);
      state.token += 1;
      const changed = [...state.changed].map((id) => state.operations.get(id)!);
      state.changed.clear();
      if (dies(-asked)) {
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
    asked: () => asked,
    start(handler, name, payload) {
      const there = [...states.values()].find(({ execution }) => execution.name === name)?.execution;
      if (there && JSON.stringify(there.payload) !== JSON.stringify(payload)) throw alreadyStarted(name);
      if (there) return there;
      const { promise: ended, resolve: end } = Promise.withResolvers<Ended>();
      const arn = `arn:aws:lambda:eu-west-1:123456789012:function:app:live/durable-execution/${name}/1`;
      const first = { Id: "0", Type: "EXECUTION", Status: "STARTED", StartTimestamp: new Date(time.now()) };
      const started = { ...first, ExecutionDetails: { InputPayload: JSON.stringify(payload) } } as Operation;
      const execution: Execution = {
        name,
        payload,
        began: time.now(),
        ended,
        outcome: () => state.outcome,
        isInvoked: () => state.isInvoked,
        invocations: () => state.invocations,
        operations: () => [...state.operations.values()],
      };
      const state: State = {
        execution,
        arn,
        handler,
        operations: new Map([["0", started]]),
        changed: new Set(),
        end,
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
      over(state, { isStopped: true });
      return true;
    },
    again(name) {
      for (const state of states.values()) {
        if (state.outcome || (name !== undefined && state.execution.name !== name)) continue;
        settleWaits(state);
        invoke(state);
      }
    },
    callBack(id, result) {
      const [arn, operation] = id.split(" ") as [string, string];
      const state = states.get(arn)!;
      const { CallbackDetails } = state.operations.get(operation)!;
      change(state, operation, { Status: "SUCCEEDED", CallbackDetails: { ...CallbackDetails, Result: result } });
      awake(state);
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
