import { connect, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { StoreFailure } from "./store.ts";

/** What a Redis server answers to one command. */
export type Reply = string | number | null | RefusedCommand | readonly Reply[];

/** The server refuses a command, and says why. */
export interface RefusedCommand {
  readonly refused: string;
}

/** Whether a reply says that the command was refused. */
export const isRefused = (reply: Reply): reply is RefusedCommand =>
  typeof reply === "object" && reply !== null && "refused" in reply;

/** A connection to a Redis server: commands go there together, and their replies come back in the same order. */
export interface Connection {
  /** The replies to commands that are sent in one piece. Fails with a `StoreFailure` when the connection does, and is of no use from then on. */
  send(commands: readonly (readonly string[])[]): Promise<readonly Reply[]>;
  close(): void;
}

/** Where a server is. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly timeoutMs: number;
}

/** Commands whose replies are waited for. */
interface Batch {
  readonly count: number;
  readonly replies: Reply[];
  resolve(replies: readonly Reply[]): void;
  reject(failure: StoreFailure): void;
}

/** Connects to a Redis server; what goes wrong with that is told by the first command. */
export function openConnection({ host, port, isSecure, timeoutMs }: ServerAddress): Connection {
  const socket: Socket = isSecure ? connectSecurely({ host, port, servername: host }) : connect({ host, port });
  const batches: Batch[] = [];
  let received: Buffer = Buffer.alloc(0);
  let failure: StoreFailure | undefined;
  const fail = (message: string, cause?: unknown) => {
    failure ??= new StoreFailure(message, { cause });
    socket.destroy();
    for (const batch of batches.splice(0)) batch.reject(failure);
  };
  socket.setNoDelay(true);
  socket.setTimeout(timeoutMs, () => {
    if (batches.length > 0) fail(`Redis at ${host}:${port} did not answer within ${timeoutMs} ms.`);
  });
  socket.on("error", (error) => fail(`Redis at ${host}:${port} cannot be reached: ${error.message}`, error));
  socket.on("close", () => fail(`Redis at ${host}:${port} closed the connection.`));
  socket.on("data", (piece: Buffer) => {
    received = received.length === 0 ? piece : Buffer.concat([received, piece]);
    try {
      received = received.subarray(takeReplies(received, batches));
    } catch (error) {
      fail(`Redis at ${host}:${port} answers in an unknown way.`, error);
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
      fail("The connection was closed here.");
    },
  };
}

/** `["GET", "a"]` → `*2\r\n$3\r\nGET\r\n$1\r\na\r\n` */
export const encodeCommand = (words: readonly string[]): string =>
  [`*${words.length}`, ...words.flatMap((word) => [`$${Buffer.byteLength(word)}`, word]), ""].join("\r\n");

/** Hands out all replies that have come whole; how many bytes these are. */
function takeReplies(received: Buffer, batches: Batch[]): number {
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

/** The reply that begins at a byte, and where it ends: `+OK\r\n` → "OK", `:7\r\n` → 7, `$-1\r\n` → null. Undefined where it has not come whole. */
export function decodeReply(bytes: Buffer, start: number): { readonly reply: Reply; readonly end: number } | undefined {
  const lineEnd = bytes.indexOf("\r\n", start);
  if (lineEnd < 0) return undefined;
  const line = bytes.toString("utf8", start + 1, lineEnd);
  const end = lineEnd + 2;
  switch (String.fromCharCode(bytes[start]!)) {
    case "+":
      return { reply: line, end };
    case "-":
      return { reply: { refused: line }, end };
    case ":":
      return { reply: Number(line), end };
    case "$":
      return decodeText(bytes, end, Number(line));
    case "*":
      return decodeList(bytes, end, Number(line));
    default:
      throw new Error(`There is no kind of reply that begins with byte ${bytes[start]}.`);
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
