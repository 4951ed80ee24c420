import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { type Answer, type Message, type ThreadConfiguration, threadModule } from "./worker.ts";

/** The thread with the connection to the database. The caller blocks until it responds. */
export class Thread {
  readonly #port: MessagePort;
  readonly #signal: Int32Array<SharedArrayBuffer>;
  readonly #notified: () => void;

  /** `notified` is called when another process has stored something. */
  constructor({ url, longest }: Pick<ThreadConfiguration, "url" | "longest">, notified: () => void) {
    const { port1, port2 } = new MessageChannel();
    const flag = new SharedArrayBuffer(4);
    const given: ThreadConfiguration = { url, longest, port: port2, flag };
    const worker = new Worker(new URL(threadModule), {
      workerData: { waybill: given },
      transferList: [port2],
      execArgv: [...process.execArgv, "--no-warnings"],
    });
    worker.unref();
    [this.#port, this.#signal, this.#notified] = [port1, new Int32Array(flag), notified];
    port1.on("message", (message) => message === "notified" && notified());
    port1.unref();
  }

  /** Sends a message without a response. */
  post(message: Message): void {
    this.#port.postMessage(message);
  }

  /** Sends a message and blocks until the response. */
  ask(message: Message): Answer {
    const seen = Atomics.load(this.#signal, 0);
    this.#port.postMessage(message);
    for (;;) {
      const received = receiveMessageOnPort(this.#port)?.message as Answer | string | undefined;
      if (received === "notified") queueMicrotask(this.#notified);
      else if (typeof received === "object") return received;
      else if (received === undefined) Atomics.wait(this.#signal, 0, seen, 1000);
    }
  }

  close(): void {
    this.ask("end");
    this.#port.close();
  }
}
