import type { MessagePort } from "node:worker_threads";
import { functionFailure, NotBegun, WorkflowError } from "../../errors.ts";
import type { Step } from "../../flow.ts";
import { ungated } from "../../functions/limited.ts";
import { copyOf, type Json } from "../../json.ts";
import { functionsIn } from "../../workflow.ts";
import { type CallMessage, type FromWorker, pulse, pulseMs, type ToWorker, type WorkerRequest } from "./messages.ts";

/** Serves the function calls of a program if this thread is a worker for them; then it never resolves. */
export function serveFunctions(functions: unknown): Promise<never> | undefined {
  const { isMainThread, parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  if (isMainThread || !parentPort || !isRequest(workerData)) return undefined;
  serve(functions, parentPort, new Int32Array(workerData.pulse));
  return new Promise(() => undefined);
}

const isRequest = (data: unknown): data is WorkerRequest =>
  typeof data === "object" && data !== null && "waybillFunctions" in data;

function serve(functions: unknown, port: MessagePort, shared: Int32Array): void {
  const controllers = new Map<number, AbortController>();
  let isStopping = false;
  const send = (message: FromWorker) => port.postMessage(message);
  const call = async (message: CallMessage): Promise<void> => {
    const { id, workflow, name, argument, step: known } = message;
    const controller = new AbortController();
    controllers.set(id, controller);
    const step: Step = {
      ...known,
      signal: controller.signal,
      get isStopping() {
        return isStopping;
      },
    };
    try {
      const own = functionsIn(functions, workflow);
      const found = Reflect.get(own, name) as (argument: Json, step: Step) => unknown;
      const answer = onStack(shared, id, () => Reflect.apply(ungated(found), own, [argument, step]));
      send({ kind: "result", id, value: jsonOf(await answer) });
    } catch (thrown) {
      if (thrown instanceof NotBegun) send({ kind: "notBegun", id });
      else {
        const { origin, name, message, data, fatal } = functionFailure(thrown);
        send({ kind: "failure", id, failure: { origin, name, message, data, fatal } });
      }
    } finally {
      controllers.delete(id);
    }
  };
  port.on("message", (message: ToWorker) => {
    if (message.kind === "call") void call(message);
    else if (message.kind === "stopping") isStopping = true;
    else controllers.get(message.id)?.abort(new Error(message.reason));
  });
  process.on("unhandledRejection", (reason) => send({ kind: "rejection", reason: textOf(reason) }));
  setInterval(() => Atomics.add(shared, pulse.turns, 1), pulseMs);
  send({ kind: "ready" });
}

/** Calls a function, and marks it for the main thread while it is on the stack. */
function onStack<T>(shared: Int32Array, id: number, act: () => T): T {
  Atomics.store(shared, pulse.call, id);
  try {
    return act();
  } finally {
    Atomics.store(shared, pulse.call, 0);
  }
}

/** A copy of a function's result as JSON, as `flow.step` makes it. */
function jsonOf(answer: unknown): Json {
  try {
    return copyOf(answer) ?? null;
  } catch (reason) {
    const message = `The function's answer is not JSON: ${textOf(reason, false)}`;
    throw new WorkflowError("DataError", message, { origin: "function" });
  }
}

const textOf = (reason: unknown, hasStack = true): string =>
  reason instanceof Error ? ((hasStack ? reason.stack : undefined) ?? reason.message) : String(reason);
