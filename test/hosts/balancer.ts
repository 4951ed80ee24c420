import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP load balancer. */
export interface Balancer {
  readonly port: number;
  close(): Promise<void>;
}

/** Forwards connections to the listening ports in turn. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const sockets = new Set<Socket>();
  let next = 0;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  const server = createServer({ allowHalfOpen: false }, async (incoming) => {
    track(incoming).pause();
    for (let tries = 0; tries < ports.length; tries += 1) {
      const outgoing = track(connect(ports[next++ % ports.length]!, "127.0.0.1"));
      const isConnected = await new Promise<boolean>((resolve) => {
        outgoing.once("connect", () => resolve(true));
        outgoing.once("close", () => resolve(false));
      });
      if (!isConnected) continue;
      outgoing.once("close", () => incoming.destroy());
      incoming.once("close", () => outgoing.destroy());
      incoming.pipe(outgoing);
      outgoing.pipe(incoming);
      return;
    }
    incoming.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
