import {
  isMainThread,
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
  workerData,
} from "node:worker_threads";
import { parts } from "../parts.ts";

/** What is asked of Restate's admin interface. */
export type Query = (text: string) => readonly Row[];

/** A row of an answer. */
export type Row = { readonly [column: string]: string | number | null };

interface Given {
  readonly admin: string;
  readonly port: MessagePort;
  readonly flag: SharedArrayBuffer;
}

type Answer = { readonly rows: readonly Row[] } | { readonly error: string };

/** Asks by a thread of its own, for which this one waits. */
export function openQuery(admin: string): { readonly query: Query; close(): void } {
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
    if (!answer || "error" in answer)
      throw new parts.StoreError(
        "unusable",
        `Restate at ${admin} does not answer: ${answer?.error ?? "it takes too long"}.`,
      );
    return answer.rows;
  };
  return { query, close: () => void worker.terminate() };
}

/** Asks without anybody's waiting in between. A server that has just begun does not have all its parts: it is asked again. */
export async function ask(admin: string, text: string): Promise<readonly Row[]> {
  for (let tries = 0; ; tries += 1) {
    const response = await fetch(`${admin}/query`, {
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
      (reason: unknown) => ({ error: String(reason) }),
    );
    port.postMessage(answer);
    Atomics.add(signal, 0, 1);
    Atomics.notify(signal, 0);
  });
}

if (!isMainThread && workerData?.waybillRestate) serve(workerData.waybillRestate as Given);
