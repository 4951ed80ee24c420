import { parts } from "../parts.ts";
import type { Address } from "./address.ts";
import { saidOf } from "./asking.ts";

/** Asks for something, as `fetch` does. */
export type Request = (url: string, init?: RequestInit) => Promise<Response>;

/** How a process reaches Restate, and whether it does: what it asks for tells, and a look from time to time. */
export interface Reach {
  /** Why Restate cannot be asked at present; undefined where it can. */
  fault(): Error | undefined;
  /** Asks for something; rejects with the fault where Restate is not there. */
  readonly request: Request;
  /** What is thrown where Restate is not there. */
  lost(reason: unknown): Error;
  stop(): void;
}

/** Begins to look whether Restate is there. */
export function openReach({ admin, ingress }: Pick<Address, "admin" | "ingress">): Reach {
  let fault: Error | undefined;
  const lost = (reason: unknown) => {
    fault ??= new parts.StoreError("unusable", `Restate at ${admin} does not answer: ${saidOf(reason)}.`);
    return fault;
  };
  const look = async () => {
    const signal = AbortSignal.timeout(patience);
    const isThere = async (url: string) => {
      const { ok, status } = await fetch(url, { signal });
      if (!ok) throw new Error(`it answers with ${status}`);
    };
    try {
      await Promise.all([isThere(`${admin}/health`), isThere(`${ingress}/restate/health`)]);
      fault = undefined;
    } catch (reason) {
      lost(reason);
    }
  };
  const timer = setInterval(look, interval);
  timer.unref();
  return {
    fault: () => fault,
    lost,
    request: (url, init) =>
      fetch(url, init).catch((reason: unknown) => {
        throw lost(reason);
      }),
    stop: () => clearInterval(timer),
  };
}

/** How often it is looked, and how long an answer may take, in milliseconds. */
const interval = 2000;
const patience = 1900;
