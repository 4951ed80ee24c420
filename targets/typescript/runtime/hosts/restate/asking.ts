import {
  isMainThread,
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
  workerData,
} from "node:worker_threads";
import type { Request } from "./reach.ts";

/** What is asked of Restate's admin interface. */
export type Query = (text: string) => readonly Row[];

/** A row of an answer. */
export type Row = { readonly [column: string]: string | number | null };

interface Given {
  readonly admin: string;
  readonly port: MessagePort;
  readonly flag: SharedArrayBuffer;
}

type Answer = { readonly rows: readonly Row[] } | { readonly error: string; readonly isThere: boolean };

/** What has gone wrong, in words: of a request, why it has not come there. */
export function saidOf(reason: unknown): string {
  const { cause, message } = reason instanceof Error ? reason : new Error(String(reason));
  return (cause instanceof Error ? cause.message : "") || message || "it is not there";
}

/** Asks by a thread of its own, for which this one waits; `lost` gives what is thrown where there is no answer. */
export function openQuery(admin: string, lost: (reason: unknown) => Error): { readonly query: Query; close(): void } {
  const { port1: port, port2 } = new MessageChannel();
  const flag = new SharedArrayBuffer(4);
  const signal = new Int32Array(flag);
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { waybillRestate: { admin, port: port2, flag } satisfies Given },
    transferList: [port2],
    execArgv: [...process.execArgv, "--no-warnings"],
  });
  worker.unref();
  port.unref();
  const query = (text: string): readonly Row[] => {
    const before = Atomics.load(signal, 0);
    port.postMessage(text);
    Atomics.wait(signal, 0, before, 30_000);
    const answer = receiveMessageOnPort(port)?.message as Answer | undefined;
    if (!answer) throw lost(new Error("it takes too long"));
    if ("rows" in answer) return answer.rows;
    throw answer.isThere ? new Error(answer.error) : lost(new Error(answer.error));
  };
  return { query, close: () => void worker.terminate() };
}

/** Asks without anybody's waiting in between. A server that has just begun does not have all its parts: it is asked again. */
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

/** How often a server is asked again that cannot answer. */
const most = 100;

function serve({ admin, port, flag }: Given): void {
  const signal = new Int32Array(flag);
  port.on("message", async (text: string) => {
    const answer: Answer = await ask(admin, text).then(
      (rows) => ({ rows }),
      (reason: unknown) => ({ error: saidOf(reason), isThere: !(reason instanceof TypeError) }),
    );
    port.postMessage(answer);
    Atomics.add(signal, 0, 1);
    Atomics.notify(signal, 0);
  });
}

if (!isMainThread && workerData?.waybillRestate) serve(workerData.waybillRestate as Given);
