import type { AddressInfo } from "node:net";
import type { Engine } from "../engine.ts";
import { createHandler, type HandlerOptions } from "./handler.ts";

/** Where a server listens, and how it takes requests. */
export interface ServeOptions extends Omit<HandlerOptions, "stopping"> {
  /** 8080 when absent; 0: any that is free. */
  readonly port?: number | undefined;
  /** `127.0.0.1` when absent: only programs of this machine can ask. */
  readonly host?: string | undefined;
}

/** A server that listens. */
export interface Serving {
  readonly url: string;
  /** Stops accepting requests, responds to the current ones, and closes. The engine continues. */
  close(): Promise<void>;
}

/** Host names that only programs of this machine can use. */
export const localNames: readonly string[] = ["127.0.0.1", "localhost", "[::1]", "::1"];

/**
 * Serves an engine over HTTP. Rejects if it cannot listen. On a loopback address, a server without credentials responds
 * only to the names of this machine.
 */
export function serve(engine: Engine, options: ServeOptions): Promise<Serving> {
  const { port = 8080, host = "127.0.0.1", token, credentials } = options;
  const stopping = new AbortController();
  const isOpen = token === undefined && credentials === undefined;
  const hosts = options.hosts ?? (isOpen && localNames.includes(host) ? localNames : undefined);
  const server = process
    .getBuiltinModule("node:http")
    .createServer({ requestTimeout: 60_000 }, createHandler(engine, { ...options, hosts, stopping: stopping.signal }));
  const close = (): Promise<void> => {
    stopping.abort();
    return new Promise((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
  };
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve({ url: urlOf(server.address() as AddressInfo), close }));
  });
}

const urlOf = ({ address, family, port }: AddressInfo): string =>
  `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
