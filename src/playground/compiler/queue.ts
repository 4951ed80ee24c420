import type { Kind, Request, Response } from "../protocol.ts";
import type { Compiler } from "./index.ts";

/**
 * Responds to requests one at a time. Of several waiting requests of a kind, only the newest is computed: typing never
 * queues outdated work.
 */
export function createQueue(compile: Compiler, send: (response: Response) => void): (request: Request) => void {
  const waiting = new Map<Kind, Request>();
  let isRunning = false;
  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    // Requests that were sent together arrive before the first one is computed.
    await nextTask();
    for (let [next] = waiting; next; [next] = waiting) {
      const [kind, request] = next;
      waiting.delete(kind);
      send(await responseTo(request, compile));
      await nextTask();
    }
    isRunning = false;
  }
  return (request) => {
    const older = waiting.get(request.kind);
    if (older) send({ id: older.id, status: "superseded" });
    waiting.delete(request.kind);
    waiting.set(request.kind, request);
    void run();
  };
}

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

async function responseTo(request: Request, compile: Compiler): Promise<Response> {
  const { id } = request;
  try {
    return { id, status: "done", result: await compile(request) };
  } catch (error) {
    return { id, status: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}
