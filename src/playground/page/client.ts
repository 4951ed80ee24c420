import type { Kind, Requests, Response, Results } from "../protocol.ts";
import { trustedScript } from "./trusted.ts";

/** The compiler in its worker. */
export interface Client {
  /** Requests a result; undefined if a newer request superseded it. Rejects with a `CompilerFailure`. */
  request<K extends Kind>(kind: K, request: Requests[K]): Promise<Results[K] | undefined>;
}

/** A request failed: a bug of the compiler, or it took too long. */
export class CompilerFailure extends Error {}

/** Without a response for this time, in milliseconds, the worker is ended and a new one started. */
const timeoutMs = 20_000;

interface Pending {
  readonly kind: Kind;
  readonly settle: (response: Response) => void;
}

/** Talks to a worker, which `start.ts` has started; `url` is that of further ones. */
export function createClient(url: string, started: Worker): Client {
  const pending = new Map<number, Pending>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let count = 0;
  /** A worker that fails before its first response would fail again. */
  let hasResponded = false;
  let failure: string | undefined;
  let worker = listen(started);

  function start(): Worker {
    hasResponded = false;
    return listen(new Worker(trustedScript(url), { type: "module" }));
  }

  function listen(listened: Worker): Worker {
    listened.addEventListener("message", ({ data }: MessageEvent<Response>) => receive(data));
    listened.addEventListener("error", () => {
      if (!hasResponded) failure = "The compiler could not be loaded. Reload the page.";
      restart(failure ?? "The compiler has failed.");
    });
    return listened;
  }

  function receive(response: Response): void {
    hasResponded = true;
    const request = pending.get(response.id);
    pending.delete(response.id);
    watch();
    request?.settle(response);
  }

  /** Ends the worker if the next response does not come in time. */
  function watch(): void {
    clearTimeout(timer);
    if (pending.size === 0) return;
    timer = setTimeout(
      () => restart(`The compiler was stopped because it took more than ${timeoutMs / 1000} seconds.`),
      timeoutMs,
    );
  }

  function restart(message: string): void {
    worker.terminate();
    const failed = [...pending];
    pending.clear();
    clearTimeout(timer);
    if (failure === undefined) worker = start();
    for (const [id, { settle }] of failed) settle({ id, status: "failed", message });
  }

  return {
    request<K extends Kind>(kind: K, request: Requests[K]) {
      count += 1;
      const id = count;
      return new Promise<Results[K] | undefined>((resolve, reject) => {
        const settle = (response: Response): void => {
          if (response.status === "failed") reject(new CompilerFailure(response.message));
          else resolve(response.status === "done" ? (response.result as Results[K]) : undefined);
        };
        if (failure !== undefined) {
          reject(new CompilerFailure(failure));
          return;
        }
        pending.set(id, { kind, settle });
        if (pending.size === 1) watch();
        worker.postMessage({ id, kind, ...request });
      });
    },
  };
}
