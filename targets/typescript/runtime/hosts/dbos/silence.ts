import type { Duplex } from "node:stream";

/** How long the database may take to respond, in milliseconds. After that, the connection counts as lost. */
export const deadline = 5000;

/** The client's options against connections that the network has forgotten. */
export const liveness = {
  keepAlive: true,
  keepAliveInitialDelayMillis: deadline,
  connectionTimeoutMillis: deadline,
} as const;

/** Something that is sent and received over a socket. */
type Counted = Duplex & { readonly bytesWritten?: number };

/**
 * Destroys a socket if nothing comes back for `deadline` after something was sent. Time during which the event loop
 * is blocked does not count: a response may have arrived meanwhile. `isPatient` suspends the check.
 */
export function destroyIfSilent(socket: Counted, isPatient: () => boolean): void {
  let [answered, waited, looked] = [0, 0, performance.now()];
  socket.on("data", () => {
    answered = socket.bytesWritten ?? 0;
    waited = 0;
  });
  const look = () => {
    const passed = Math.min(performance.now() - looked, 2 * interval);
    looked = performance.now();
    const isSilent = !isPatient() && (socket.bytesWritten ?? 0) !== answered;
    waited = isSilent ? waited + passed : 0;
    if (waited >= deadline) socket.destroy();
  };
  const timer = setInterval(look, interval);
  timer.unref();
  socket.once("close", () => clearInterval(timer));
}

/** How often sockets are checked, in milliseconds. */
const interval = 250;
