import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import type { DurableContext, StepConfig } from "@aws/durable-execution-sdk-js";
import type { Signal } from "../../flow/abort.ts";
import { failureFrom, failureIn, failureText, WorkflowError } from "../../internal.ts";
import type { Json } from "../../json.ts";
import type { PendingRequest } from "../../replay/replay.ts";
import { Order } from "./order.ts";

/** The result of an operation: its place among the run's results, its time, and the value or the serialized failure. */
export interface Entry {
  readonly place: number;
  readonly at: number;
  readonly value?: Json;
  readonly failure?: string;
}

/** The limits of an execution. */
export interface Limits {
  readonly operations: number;
  /** The bytes of one operation, and of all of them. */
  readonly bytes: number;
  readonly allBytes: number;
}

/** AWS's documented limits: 3,000 operations of at most 256 kB, and 100 MB in all. */
export const limits: Limits = { operations: 3000, bytes: 256 * 1024, allBytes: 100_000_000 };

/** The bytes of an event that a run can receive: an operation also contains the rest of the answer. */
export const maxEventBytes = limits.bytes - 4096;

/** The operations of an execution and their results. */
export interface Journal {
  readonly order: Order;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Begins an operation, and resolves or rejects with its recorded result when its turn comes. */
  ask<T>(key: string, signal: Signal, operation: (isAsked: () => boolean) => PromiseLike<Entry | null>): Promise<T>;
  /** Counts one or more operations and begins them in the SDK's outermost context. */
  begin<T>(operation: (context: DurableContext) => T, count?: number): T;
  /** Creates an entry with the next place. */
  entry(outcome: Outcome, at: number, position?: readonly number[]): Promise<Entry>;
}

/** The outcome of an operation. */
export type Outcome = { readonly value: Json | undefined } | { readonly thrown: unknown };

/** The journal of an execution that began at an instant. */
export function journalOf(context: DurableContext, began: number, clock: () => number, most: Limits = limits): Journal {
  const order = new Order(began);
  const outside = AsyncLocalStorage.snapshot();
  let [operations, bytes] = [1, 0];
  /** The places of counted entries. Entries of earlier invocations are counted when they are replayed. */
  const counted = new Set<number>();
  const count = ({ place }: Entry, size: number) => {
    if (counted.has(place)) return;
    counted.add(place);
    bytes += size;
  };
  return {
    order,
    clock,
    ask<T>(key: string, signal: Signal, operation: (isAsked: () => boolean) => PromiseLike<Entry | null>): Promise<T> {
      return order.ask(key, signal, {
        begin(request) {
          const isAsked = () => order.isAsked(key, request);
          const arrive = (entry: Entry) => {
            count(entry, sizeOf(entry));
            order.arrive(entry, () => isAsked() && order.settle(key, () => tell(request, entry)));
          };
          operation(isAsked).then((entry) => entry && arrive(entry), request.reject);
        },
      });
    },
    begin(operation, own = 1) {
      operations += own;
      if (operations > most.operations) throw beyond(`More than ${most.operations} operations are needed`);
      return outside(() => operation(context));
    },
    async entry(outcome, at, position = []) {
      const place = await order.place(at, position);
      const made = entryOf(outcome, place, at);
      const size = sizeOf(made);
      const fault =
        size > most.bytes
          ? `What a step gives has ${size} bytes, and an operation takes ${most.bytes} at most`
          : bytes + size > most.allBytes
            ? `What the steps give has more than ${most.allBytes} bytes in all`
            : undefined;
      if (fault !== undefined) return entryOf({ thrown: beyond(fault) }, place, at);
      count(made, size);
      return made;
    },
  };
}

/** The size of a recorded entry in bytes. */
const sizeOf = (entry: Entry): number => Buffer.byteLength(JSON.stringify(entry));

/** An error that no handler catches, because other hosts do not have the limit. */
const beyond = (fault: string): WorkflowError =>
  new WorkflowError("LimitError", `${fault} of a durable execution of AWS Lambda.`, { origin: "limit", fatal: true });

function entryOf(outcome: Outcome, place: number, at: number): Entry {
  if ("thrown" in outcome) return { place, at, failure: failureText(failureFrom(outcome.thrown)) };
  return { place, at, ...(outcome.value !== undefined && { value: outcome.value }) };
}

/** Resolves or rejects a request with its result. */
function tell({ resolve, reject }: PendingRequest, { value, failure }: Entry): void {
  if (failure === undefined) resolve(value);
  else reject(failureIn(failure));
}

/** The name of an operation: its key, in the form that AWS accepts. */
export function nameOf(key: string): string {
  const plain = key.replaceAll(/[^\x20-\x7e]/g, "?");
  if (plain === key && key.length <= longestName) return key;
  const digest = createHash("sha256").update(key).digest("hex").slice(0, 16);
  return `${plain.slice(0, longestName - digest.length - 1)}~${digest}`;
}

const longestName = 200;

/** Retries until it succeeds, with increasing delays. */
export const again: StepConfig<Entry | null> = {
  retryStrategy: (_, attempt) => ({
    shouldRetry: true,
    delay: { seconds: Math.min(60, 2 ** Math.min(attempt - 1, 6)) },
  }),
};
