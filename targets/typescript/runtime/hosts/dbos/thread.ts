import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { type Answer, type Given, type Message, threadModule } from "./worker.ts";

/** The thread that speaks with the database, for which this one waits. */
export class Thread {
  readonly #port: MessagePort;
  readonly #signal: Int32Array<SharedArrayBuffer>;
  readonly #notified: () => void;

  /** `notified`: hears that something has come from another process. */
  constructor({ url, longest }: Pick<Given, "url" | "longest">, notified: () => void) {
    const { port1, port2 } = new MessageChannel();
    const flag = new SharedArrayBuffer(4);
    const given: Given = { url, longest, port: port2, flag };
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

  /** Tells it something of which nothing comes. */
  tell(message: Message): void {
    this.#port.postMessage(message);
  }

  /** Tells it something, and waits for what comes of it. */
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
