// A worker thread that proxies connections between engines and their database, and can lose the response to a commit.

import { connect, createServer, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

/**
 * Once `after` has been seen on a connection of an engine, its next commit gets no response and the connection breaks:
 * after the commit (`isCommitted`) or before it.
 */
export interface CommitLoss {
  readonly after: string;
  readonly isCommitted: boolean;
}

/** Identifies connections of engines: the test process has others. */
const engineStatement = "LISTEN waybill";

let loss: CommitLoss | undefined;

function join(client: Socket, database: Socket): void {
  let [isEngine, isArmed, isCut] = [false, false, false];
  const end = () => {
    client.destroy();
    database.destroy();
  };
  for (const socket of [client, database]) socket.on("error", end).on("close", end);
  const look = (data: Buffer) => {
    isArmed ||= isEngine && loss !== undefined && data.includes(loss.after);
  };
  const cut = () => {
    loss = undefined;
    end();
    parentPort!.postMessage("lost");
  };
  client.on("data", (data) => {
    isEngine ||= data.includes(engineStatement);
    look(data);
    if (client.destroyed) return;
    isCut ||= isArmed && data.includes("COMMIT");
    if (isCut && loss?.isCommitted === false) cut();
    else database.write(data);
  });
  database.on("data", (data) => {
    if (client.destroyed) return;
    look(data);
    if (isCut && data.includes("COMMIT")) cut();
    else client.write(data);
  });
}

const { hostname, port } = workerData as { readonly hostname: string; readonly port: number };
const server = createServer((client) => join(client, connect(port, hostname)));
server.listen(0, "127.0.0.1", () => parentPort!.postMessage((server.address() as { readonly port: number }).port));
parentPort!.on("message", (next: CommitLoss) => {
  loss = next;
});
