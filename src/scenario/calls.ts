import type { Json } from "../json.ts";
import { FunctionFailure, type Place, type World } from "../world.ts";
import { abortable } from "./abortable.ts";
import type { Clock } from "./clock.ts";
import type { RecordedCall, Reply, Script } from "./stage.ts";

/** The calls of a run: those of one instant are gathered, and then made in the order of their places. */
export interface Calls {
  readonly call: World["call"];
  /** Makes the calls that are due; false when there were none. */
  flush(): Promise<boolean>;
}

/** Calls that a script answers; each is recorded when it is made. */
export function createCalls(script: Script, clock: Clock, record: (call: RecordedCall) => void): Calls {
  const counts = new Map<string, number>();
  const pending = new Set<Pending>();
  const make = async (call: Pending) => {
    const index = counts.get(call.function) ?? 0;
    counts.set(call.function, index + 1);
    record({ function: call.function, argument: call.argument });
    const reply = await script.reply(call.function, index, call.argument);
    clock.plan(clock.now() + reply.takes * 1000, "answer", () => settle(call, reply));
  };
  return {
    call: (name, argument, place) =>
      abortable<Json>(place.signal, (resolve, reject) => {
        const call: Pending = { function: name, argument, place, resolve, reject };
        pending.add(call);
        return () => void pending.delete(call);
      }),
    async flush() {
      const due = [...pending].sort((a, b) => byPosition(a.place.position, b.place.position));
      pending.clear();
      for (const call of due) await make(call);
      return due.length > 0;
    },
  };
}

interface Pending extends RecordedCall {
  readonly place: Place;
  readonly resolve: (value: Json) => void;
  readonly reject: (reason: unknown) => void;
}

function settle(call: Pending, { answer }: Reply): void {
  if (answer.kind === "returns") call.resolve(answer.value);
  else call.reject(new FunctionFailure(answer.name, answer.message, answer.data));
}

function byPosition(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
