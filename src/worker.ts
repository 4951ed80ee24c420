import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { Json } from "./json.ts";

/** The functions that a module of JavaScript exports, in a thread of their own with limits of time and memory. */
export interface ScriptWorker {
  /** Calls a function and waits for its answer, also where that is a promise. */
  call(name: string, argument: Json): Answer;
  close(): void;
}

/** What a function gives, or the error that it ends with. */
export type Answer = { readonly value: Json } | { readonly name: string; readonly message: string };

/** How long a function may take, in milliseconds of real time, once its thread has started, and how long that may take; its memory in megabytes. */
const timeoutMs = 2_000;
const startTimeoutMs = 20_000;
const resourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };

/** A thread for the text of a module that imports nothing. It is started when it is first needed, and again after a function went beyond a limit. */
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
      const isLate = Atomics.wait(signal, 0, waiting, timeoutMs) === "timed-out";
      const answer = receiveMessageOnPort(port) as { readonly message: Answer } | undefined;
      if (answer && !isLate) return answer.message;
      close();
      return {
        name: "LimitError",
        message: `A function has taken more than ${timeoutMs / 1000} seconds, or too much memory.`,
      };
    },
    close,
  };
}

interface Running {
  readonly worker: Worker;
  readonly port: MessageChannel["port1"];
  /** Holds `waiting` until the thread has started, and then until there is an answer. */
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
  Atomics.wait(signal, 0, waiting, startTimeoutMs);
  return { worker, port: port1, signal };
}

const urlOf = (module: string): URL => new URL(`data:text/javascript,${encodeURIComponent(module)}`);

const waiting = 0;

/** What the thread does: it answers one question after the other. */
const listener = `
import { workerData } from "node:worker_threads";
const { port, signal } = workerData;
const imported = import(workerData.url);
await imported.catch(() => undefined);
tell();
port.on("message", async ({ name, argument }) => {
  let answer;
  try {
    const functions = await imported;
    answer = { value: JSON.parse(JSON.stringify(await functions[name](argument))) };
  } catch (error) {
    answer = { name: String(error?.name ?? "Error"), message: String(error?.message ?? error) };
  }
  port.postMessage(answer);
  tell();
});

function tell() {
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
}
`;
