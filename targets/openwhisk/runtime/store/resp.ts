import { connect, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { failureOf, type ServerAddress } from "./client.ts";
import type { StoreFailure } from "./store.ts";

/** The reply of a Redis server to one command. */
export type Reply = string | number | null | Rejection | readonly Reply[];

/** The error of a rejected command. */
export interface Rejection {
  readonly rejected: string;
}

/** Whether a command was rejected. */
export const isRejection = (reply: Reply): reply is Rejection =>
  typeof reply === "object" && reply !== null && "rejected" in reply;

/** A connection to a Redis server. Commands are pipelined; replies arrive in order. */
export interface Connection {
  /** Sends commands in one piece. After a `StoreFailure` the connection is unusable. */
  send(commands: readonly (readonly string[])[]): Promise<readonly Reply[]>;
  close(): void;
}

interface PendingBatch {
  readonly count: number;
  readonly replies: Reply[];
  resolve(replies: readonly Reply[]): void;
  reject(failure: StoreFailure): void;
}

/** Connects to a Redis server. The first command reports a failure to connect. */
export function openConnection(server: ServerAddress): Connection {
  const { scheme, host, timeoutMs } = server;
  const port = Number(server.port || "6379");
  const isSecure = scheme === "rediss";
  const socket: Socket = isSecure ? connectSecurely({ host, port, servername: host }) : connect({ host, port });
  const batches: PendingBatch[] = [];
  let received: Buffer = Buffer.alloc(0);
  let failure: StoreFailure | undefined;
  const fail = (what: string, cause?: unknown) => {
    failure ??= failureOf(server, what, cause);
    socket.destroy();
    for (const batch of batches.splice(0)) batch.reject(failure);
  };
  socket.setNoDelay(true);
  socket.setTimeout(timeoutMs, () => {
    if (batches.length > 0) fail(`did not respond within ${timeoutMs} ms`);
  });
  socket.on("error", (error) => fail("cannot be reached", error));
  socket.on("close", () => fail("closed the connection"));
  socket.on("data", (piece: Buffer) => {
    received = received.length === 0 ? piece : Buffer.concat([received, piece]);
    try {
      received = received.subarray(takeReplies(received, batches));
    } catch (error) {
      fail("sends an invalid reply", error);
    }
  });
  return {
    send(commands) {
      if (failure) return Promise.reject(failure);
      if (commands.length === 0) return Promise.resolve([]);
      return new Promise((resolve, reject) => {
        batches.push({ count: commands.length, replies: [], resolve, reject });
        socket.write(commands.map(encodeCommand).join(""));
      });
    },
    close() {
      fail("was disconnected");
    },
  };
}

/** `["GET", "a"]` → `*2\r\n$3\r\nGET\r\n$1\r\na\r\n` */
export const encodeCommand = (words: readonly string[]): string =>
  [`*${words.length}`, ...words.flatMap((word) => [`$${Buffer.byteLength(word)}`, word]), ""].join("\r\n");

/** Resolves batches with complete replies, and returns the number of bytes used. */
function takeReplies(received: Buffer, batches: PendingBatch[]): number {
  let at = 0;
  while (batches.length > 0) {
    const decoded = decodeReply(received, at);
    if (!decoded) break;
    at = decoded.end;
    const batch = batches[0]!;
    batch.replies.push(decoded.reply);
    if (batch.replies.length < batch.count) continue;
    batches.shift();
    batch.resolve(batch.replies);
  }
  return at;
}

/**
 * Decodes the reply at an offset: `+OK\r\n` → "OK", `:7\r\n` → 7, `$-1\r\n` → null. Returns undefined if it is
 * incomplete.
 */
export function decodeReply(bytes: Buffer, start: number): { readonly reply: Reply; readonly end: number } | undefined {
  const lineEnd = bytes.indexOf("\r\n", start);
  if (lineEnd < 0) return undefined;
  const line = bytes.toString("utf8", start + 1, lineEnd);
  const end = lineEnd + 2;
  switch (String.fromCharCode(bytes[start]!)) {
    case "+":
      return { reply: line, end };
    case "-":
      return { reply: { rejected: line }, end };
    case ":":
      return { reply: Number(line), end };
    case "$":
      return decodeText(bytes, end, Number(line));
    case "*":
      return decodeList(bytes, end, Number(line));
    default:
      throw new Error(`Unknown type of reply: byte ${bytes[start]}.`);
  }
}

function decodeText(bytes: Buffer, start: number, length: number): ReturnType<typeof decodeReply> {
  if (length < 0) return { reply: null, end: start };
  const end = start + length + 2;
  return end > bytes.length ? undefined : { reply: bytes.toString("utf8", start, start + length), end };
}

function decodeList(bytes: Buffer, start: number, length: number): ReturnType<typeof decodeReply> {
  if (length < 0) return { reply: null, end: start };
  const replies: Reply[] = [];
  let end = start;
  for (let i = 0; i < length; i++) {
    const decoded = decodeReply(bytes, end);
    if (!decoded) return undefined;
    replies.push(decoded.reply);
    end = decoded.end;
  }
  return { reply: replies, end };
}
