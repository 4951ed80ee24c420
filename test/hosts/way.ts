// A thread between engines and their database: all that they say goes through it. One answer may be lost there.

import { connect, createServer, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

/**
 * Once a text has come along on a connection of an engine, its next commit is not answered, as the connection is gone: after it was done, or before that
 * was heard.
 */
export interface Losing {
  readonly after: string;
  readonly isDone: boolean;
}

/** What only engines say: others speak with the database from the same process. */
const ofEngine = "LISTEN waybill";

let losing: Losing | undefined;

/** A connection, and what is on its other side. */
function join(client: Socket, database: Socket): void {
  let [isEngine, isArmed, isCut] = [false, false, false];
  const end = () => {
    client.destroy();
    database.destroy();
  };
  for (const socket of [client, database]) socket.on("error", end).on("close", end);
  const look = (data: Buffer) => {
    isArmed ||= isEngine && losing !== undefined && data.includes(losing.after);
  };
  const cut = () => {
    losing = undefined;
    end();
    parentPort!.postMessage("lost");
  };
  client.on("data", (data) => {
    isEngine ||= data.includes(ofEngine);
    look(data);
    isCut ||= isArmed && data.includes("COMMIT");
    if (isCut && !losing!.isDone) cut();
    else database.write(data);
  });
  database.on("data", (data) => {
    look(data);
    if (isCut) cut();
    else client.write(data);
  });
}

const { hostname, port } = workerData as { readonly hostname: string; readonly port: number };
const server = createServer((client) => join(client, connect(port, hostname)));
server.listen(0, "127.0.0.1", () => parentPort!.postMessage((server.address() as { readonly port: number }).port));
parentPort!.on("message", (next: Losing) => {
  losing = next;
});
