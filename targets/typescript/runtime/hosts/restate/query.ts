import {
  isMainThread,
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
  workerData,
} from "node:worker_threads";
import type { Request } from "./transport.ts";

/** A synchronous query to Restate's admin interface. */
export type Query = (text: string) => readonly Row[];

/** A row of a result. */
export type Row = { readonly [column: string]: string | number | null };

interface QueryWorkerData {
  readonly admin: string;
  readonly port: MessagePort;
  readonly flag: SharedArrayBuffer;
}

type QueryResult = { readonly rows: readonly Row[] } | { readonly error: string; readonly isThere: boolean };

/** The message of an error; for a request, why it failed. */
export function saidOf(reason: unknown): string {
  const { cause, message } = reason instanceof Error ? reason : new Error(String(reason));
  return (cause instanceof Error ? cause.message : "") || message || "it is not there";
}

/** Opens a worker that queries while this thread blocks. `lost` creates the error if Restate does not respond. */
export function openQuery(admin: string, lost: (reason: unknown) => Error): { readonly query: Query; close(): void } {
  const { port1: port, port2 } = new MessageChannel();
  const flag = new SharedArrayBuffer(4);
  const signal = new Int32Array(flag);
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { waybillRestate: { admin, port: port2, flag } satisfies QueryWorkerData },
    transferList: [port2],
    execArgv: [...process.execArgv, "--no-warnings"],
  });
  worker.unref();
  port.unref();
  let isClosed = false;
  const query = (text: string): readonly Row[] => {
    if (isClosed) throw new Error("The engine was closed.");
    const before = Atomics.load(signal, 0);
    port.postMessage(text);
    Atomics.wait(signal, 0, before, 30_000);
    const answer = receiveMessageOnPort(port)?.message as QueryResult | undefined;
    if (!answer) throw lost(new Error("it takes too long"));
    if ("rows" in answer) return answer.rows;
    throw answer.isThere ? new Error(answer.error) : lost(new Error(answer.error));
  };
  const close = () => {
    isClosed = true;
    void worker.terminate();
  };
  return { query, close };
}

/** Queries asynchronously. Retries while the server is starting. */
export async function ask(admin: string, text: string, request: Request = fetch): Promise<readonly Row[]> {
  for (let tries = 0; ; tries += 1) {
    const response = await request(`${admin}/query`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ query: text }),
    });
    if (response.ok) return ((await response.json()) as { readonly rows: readonly Row[] }).rows;
    const fault = `${response.status} ${await response.text()}`;
    if (response.status < 500 || tries >= most) throw new Error(fault);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The maximum number of retries. */
const most = 100;

function serve({ admin, port, flag }: QueryWorkerData): void {
  const signal = new Int32Array(flag);
  port.on("message", async (text: string) => {
    const answer: QueryResult = await ask(admin, text).then(
      (rows) => ({ rows }),
      (reason: unknown) => ({ error: saidOf(reason), isThere: !(reason instanceof TypeError) }),
    );
    port.postMessage(answer);
    Atomics.add(signal, 0, 1);
    Atomics.notify(signal, 0);
  });
}

if (!isMainThread && workerData?.waybillRestate) serve(workerData.waybillRestate as QueryWorkerData);
