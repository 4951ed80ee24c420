import { StoreError } from "../../internal.ts";
import { type Address, requestsTo } from "./address.ts";
import { messageOf } from "./query.ts";

/** Sends a request, like `fetch`. */
export type Request = (url: string, init?: RequestWithHeaders) => Promise<Response>;

/** The options of a request, with headers that can be extended. */
interface RequestWithHeaders extends RequestInit {
  readonly headers?: { readonly [name: string]: string };
}

/** Sends requests to Restate, and observes by these and by periodic checks whether it responds. */
export interface Transport {
  /** Why Restate does not respond at present; undefined if it does. */
  fault(): Error | undefined;
  /** Sends a request. Rejects with the fault if Restate does not respond. */
  readonly request: Request;
  /** The error if Restate does not respond. */
  lost(reason: unknown): Error;
  stop(): void;
}

/** Begins periodic checks. */
export function openTransport(address: Address): Transport {
  const { admin, ingress } = address;
  const request = requestsTo(address);
  let fault: Error | undefined;
  const lost = (reason: unknown) => {
    fault ??= new StoreError("unusable", `Restate at ${admin} does not answer: ${messageOf(reason)}.`);
    return fault;
  };
  const look = async () => {
    const signal = AbortSignal.timeout(patience);
    const isThere = async (url: string) => {
      const { ok, status } = await request(url, { signal });
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
    async request(url, init) {
      try {
        const response = await request(url, { ...init, signal: AbortSignal.timeout(deadline) });
        const { status, headers } = response;
        return new Response(isEmpty(status) ? null : await response.arrayBuffer(), { status, headers });
      } catch (reason) {
        throw lost(reason);
      }
    },
    stop: () => clearInterval(timer),
  };
}

/** Whether responses with a status have no body. */
const isEmpty = (status: number): boolean => status === 204 || status === 205 || status === 304;

/** How long Restate may take to respond to a request, in milliseconds. */
const deadline = 5000;

/** The interval of the checks, and how long a response may take, in milliseconds. */
const interval = 2000;
const patience = 1900;
