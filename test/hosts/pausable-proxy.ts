import { connect, createServer, type Server, type Socket } from "node:net";

/** A proxy of a database that can lose everything on the connections that are open, which stay open. */
export interface PausableProxy {
  /** The address of the database through the proxy. */
  readonly url: string;
  /** Loses what is sent on the open connections, for good, and on new ones until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy. */
export async function startPausableProxy(database: string): Promise<PausableProxy> {
  const { hostname, port } = new URL(database);
  const sockets = new Set<Socket>();
  let forgotten = new WeakSet<Socket>();
  let isPaused = false;
  const server: Server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end).on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    if (isPaused) forgotten.add(client);
    client.on("data", (data) => forgotten.has(client) || upstream.write(data));
    upstream.on("data", (data) => forgotten.has(client) || client.write(data));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port: own } = server.address() as { readonly port: number };
  return {
    url: database.replace(`:${port}/`, `:${own}/`),
    async pause() {
      isPaused = true;
      forgotten = new WeakSet(sockets);
    },
    async resume() {
      isPaused = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
