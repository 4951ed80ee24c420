import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { Json } from "./json.ts";

/** The functions that a JavaScript module exports, run in a worker with time and memory limits. */
export interface ScriptWorker {
  /** Calls a function and waits for its result, even if that is a promise. */
  call(name: string, argument: Json): WorkerResult;
  close(): void;
}

/** The result of a function, or the error that it throws. */
export type WorkerResult = { readonly value: Json } | { readonly name: string; readonly message: string };

/** The processor time that a call may use, in milliseconds. Real time would depend on the load of the machine. */
const timeoutMs = 2_000;
/** The real time without progress, in milliseconds, after which a call or the start of the worker counts as failed. */
const idleMs = 5_000;
/** How often limits are checked, in milliseconds. */
const checkMs = 100;
/**
 * The processor time, in milliseconds, that counts as progress. On a loaded machine a call gets a few percent of a core;
 * the checks of this thread, which the process's time includes, take far less.
 */
const progressMs = 50;
const resourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };

/**
 * Runs the source of a module without imports. The worker starts with the first call, and again after a call exceeds a
 * limit.
 */
export function runInWorker(module: string): ScriptWorker {
  let running: Running | undefined;
  const close = (): void => {
    void running?.worker.terminate();
    running = undefined;
  };
  return {
    call(name, argument) {
      running ??= start(module);
      const { signal, port } = running;
      Atomics.store(signal, 0, waiting);
      port.postMessage({ name, argument });
      const isLate = !wasNotified(signal, timeoutMs);
      const response = receiveMessageOnPort(port) as { readonly message: WorkerResult } | undefined;
      if (response && !isLate) return response.message;
      close();
      return {
        name: "LimitError",
        message: `A function has taken more than ${timeoutMs / 1000} seconds of processor time, or too much memory.`,
      };
    },
    close,
  };
}

interface Running {
  readonly worker: Worker;
  readonly port: MessageChannel["port1"];
  /** `waiting` until the worker has started or has responded. */
  readonly signal: Int32Array;
}

function start(module: string): Running {
  const { port1, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { url: urlOf(module).href, port: port2, signal };
  const worker = new Worker(urlOf(listener), {
    workerData,
    transferList: [port2],
    resourceLimits,
    stdout: true,
    stderr: true,
  });
  worker.on("error", () => undefined);
  worker.unref();
  port1.unref();
  wasNotified(signal, Number.POSITIVE_INFINITY);
  return { worker, port: port1, signal };
}

/**
 * Waits until the worker notifies this thread; false if it uses too much processor time, or makes no progress because
 * it has run out of memory. This thread is blocked meanwhile, so that the time of the process is that of the worker.
 */
function wasNotified(signal: Int32Array, limitMs: number): boolean {
  const start = process.cpuUsage();
  let [last, progressAt] = [0, performance.now()];
  while (Atomics.wait(signal, 0, waiting, checkMs) === "timed-out") {
    const { user, system } = process.cpuUsage(start);
    const [used, now] = [(user + system) / 1000, performance.now()];
    if (used - last >= progressMs) [last, progressAt] = [used, now];
    if (used > limitMs || now - progressAt > idleMs) return false;
  }
  return true;
}

const urlOf = (module: string): URL => new URL(`data:text/javascript,${encodeURIComponent(module)}`);

const waiting = 0;

const listener = `
import { workerData } from "node:worker_threads";
const { port, signal } = workerData;
const imported = import(workerData.url);
await imported.catch(() => undefined);
notify();
port.on("message", async ({ name, argument }) => {
  let response;
  try {
    const functions = await imported;
    response = { value: JSON.parse(JSON.stringify(await functions[name](argument))) };
  } catch (error) {
    response = { name: String(error?.name ?? "Error"), message: String(error?.message ?? error) };
  }
  port.postMessage(response);
  notify();
});

function notify() {
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
}
`;
