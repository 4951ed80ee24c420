import type { CallSite } from "../environment/environment.ts";
import { comparePositions } from "../environment/environment.ts";
import { FunctionFailure } from "../environment/errors.ts";
import type { Json } from "../json.ts";
import { abortable, type Clock } from "./clock.ts";
import type { RecordedCall } from "./model.ts";
import type { Reply, Setup } from "./simulation.ts";

/** A run that makes calls. */
interface Caller {
  readonly id: string;
  readonly calls: RecordedCall[];
  /** The exceeded limit. */
  readonly limit: Error | undefined;
}

/** The calls of all runs. Those of one instant are collected and made in the order of their positions. */
export interface Calls {
  /** Makes a call and records it. */
  call(request: CallRequest, caller: Caller): Promise<Json>;
  /** Makes a token for a callback of a function. */
  token(name: string, where: CallSite, caller: Caller): Promise<string>;
  /** Makes the collected tokens, or else the collected calls; false if there were none. */
  flush(): Promise<boolean>;
  /** Drops the collected calls of a run. */
  drop(caller: Caller): void;
}

/** A call, and where it is made. */
export interface CallRequest extends RecordedCall, CallSite {}

/** Creates calls that the setup answers. */
export function createCalls(setup: Setup, clock: Clock): Calls {
  const counts = new Map<string, number>();
  const pending = new Set<Pending>();
  const tokens = new Set<PendingToken>();
  const tokenCounts = new Map<string, number>();
  const make = async (call: Pending) => {
    const index = counts.get(call.function) ?? 0;
    counts.set(call.function, index + 1);
    call.caller.calls.push({ function: call.function, argument: call.argument });
    const reply = await setup.reply(call.function, index, call.argument, call.caller.id);
    const { takes, heartbeats = [], answer } = reply;
    const end = answer.kind === "never" ? Number.POSITIVE_INFINITY : takes;
    const plan = (seconds: number, fire: () => void) =>
      clock.plan(clock.now() + seconds * 1000, "answer", fire, call.position);
    for (const seconds of heartbeats)
      if (seconds <= end) plan(seconds, () => call.signal?.aborted || call.onHeartbeat?.());
    if (end !== Number.POSITIVE_INFINITY) plan(takes, () => settle(call, answer));
  };
  return {
    call: (request, caller) =>
      abortable<Json>(request.signal, (resolve, reject) => {
        const call: Pending = { ...request, caller, resolve, reject };
        pending.add(call);
        return () => void pending.delete(call);
      }),
    token: (name, { position, signal }, caller) =>
      abortable<string>(signal, (resolve) => {
        const token: PendingToken = { name, position, caller, resolve };
        tokens.add(token);
        return () => void tokens.delete(token);
      }),
    async flush() {
      const named = [...tokens].sort((a, b) => comparePositions(a.position, b.position));
      tokens.clear();
      for (const { name, resolve } of named) {
        const count = (tokenCounts.get(name) ?? 0) + 1;
        tokenCounts.set(name, count);
        resolve(`token:${name}:${count}`);
      }
      if (named.length > 0) return true;
      const due = [...pending].sort((a, b) => comparePositions(a.position, b.position));
      pending.clear();
      for (const call of due) if (!call.caller.limit) await make(call);
      return due.length > 0;
    },
    drop(caller) {
      for (const call of pending) if (call.caller === caller) pending.delete(call);
      for (const token of tokens) if (token.caller === caller) tokens.delete(token);
    },
  };
}

interface Pending extends CallRequest {
  readonly caller: Caller;
  readonly resolve: (value: Json) => void;
  readonly reject: (reason: unknown) => void;
}

interface PendingToken {
  readonly name: string;
  readonly position: readonly number[];
  readonly caller: Caller;
  readonly resolve: (token: string) => void;
}

function settle(call: Pending, answer: Reply["answer"]): void {
  if (answer.kind === "returns") call.resolve(answer.value);
  if (answer.kind === "throws") call.reject(new FunctionFailure(answer.name, answer.message, answer.data));
}
