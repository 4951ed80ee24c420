import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { Json } from "./json.ts";

/** The functions that a module of JavaScript exports, in a thread of their own with limits of time and memory. */
export interface Thread {
  /** Calls a function and waits for its answer, also where that is a promise. */
  call(name: string, argument: Json): Answer;
  close(): void;
}

/** What a function gives, or the error that it ends with. */
export type Answer = { readonly value: Json } | { readonly name: string; readonly message: string };

/** How long a function may take, in milliseconds of real time, and how much memory it may, in megabytes. */
const patience = 2_000;
const resourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };

/** A thread for the text of a module that imports nothing. It is started when it is first needed, and again after a function went beyond a limit. */
export function openThread(module: string): Thread {
  let running: Running | undefined;
  const close = (): void => {
    void running?.worker.terminate();
    running = undefined;
  };
  return {
    call(name, argument) {
      running ??= start(module);
      const { signal, port } = running;
      Atomics.store(signal, 0, 0);
      port.postMessage({ name, argument });
      const isLate = Atomics.wait(signal, 0, 0, patience) === "timed-out";
      const answer = receiveMessageOnPort(port) as { readonly message: Answer } | undefined;
      if (answer && !isLate) return answer.message;
      close();
      return {
        name: "LimitError",
        message: `A function has taken more than ${patience / 1000} seconds, or too much memory.`,
      };
    },
    close,
  };
}

interface Running {
  readonly worker: Worker;
  readonly port: MessageChannel["port1"];
  /** Is 1 when there is an answer. */
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
  return { worker, port: port1, signal };
}

const urlOf = (module: string): URL => new URL(`data:text/javascript,${encodeURIComponent(module)}`);

/** What the thread does: it answers one question after the other. */
const listener = `
import { workerData } from "node:worker_threads";
const { port, signal } = workerData;
const functions = await import(workerData.url);
port.on("message", async ({ name, argument }) => {
  let answer;
  try {
    answer = { value: JSON.parse(JSON.stringify(await functions[name](argument))) };
  } catch (error) {
    answer = { name: String(error?.name ?? "Error"), message: String(error?.message ?? error) };
  }
  port.postMessage(answer);
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
});
`;
