import type { ServerResponse } from "node:http";
import type { Json } from "../json.ts";
import { answer, jsonHeaders } from "./refusal.ts";

/** The characters of a chunk, and the milliseconds after which other work has its turn. */
const [chunkSize, sliceMs] = [65_536, 5];

/** Responds with JSON of any size. A large value is sent in chunks, as fast as the client reads them. */
export async function stream(response: ServerResponse, status: number, body: Json): Promise<void> {
  if (isSmall(body)) {
    answer(response, status, body);
    return;
  }
  response.writeHead(status, jsonHeaders);
  let chunk = "";
  let end = performance.now() + sliceMs;
  for (const token of tokensOf(body)) {
    chunk += token;
    if (chunk.length < chunkSize && performance.now() < end) continue;
    if (response.destroyed) return;
    const isDrained = response.write(chunk);
    chunk = "";
    await (isDrained ? new Promise((resolve) => setImmediate(resolve)) : drained(response));
    end = performance.now() + sliceMs;
  }
  response.end(chunk);
}

/** Resolves when the client has read what was sent, or has gone. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.once("drain", done);
    response.once("close", done);
  });

/** Whether the JSON of a value is short enough for one chunk; stops counting when it is not. */
function isSmall(value: Json): boolean {
  let left = chunkSize;
  const open: (Json | undefined)[] = [value];
  while (left > 0 && open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") left -= next.length;
    else if (typeof next === "object" && next !== null) {
      for (const key in next) {
        left -= Array.isArray(next) ? 1 : key.length;
        if (left <= 0) return false;
        open.push((next as { readonly [key: string]: Json })[key]);
      }
    }
    left -= 1;
  }
  return left > 0;
}

/** An array or object whose beginning has been returned. */
interface OpenValue {
  readonly end: "]" | "}";
  /** The next element or member with what precedes it; undefined after the last one. */
  next(): { readonly before: string; readonly value: Json } | undefined;
}

/** The JSON of a value in pieces of limited length. Nesting is not limited by the stack. */
function* tokensOf(root: Json): Generator<string, void> {
  const open: OpenValue[] = [];
  const begin = function* (value: Json): Generator<string, void> {
    if (typeof value === "string") yield* stringTokens(value);
    else if (typeof value !== "object" || value === null) yield JSON.stringify(value);
    else {
      open.push(Array.isArray(value) ? openArray(value) : openObject(value as { readonly [key: string]: Json }));
      yield Array.isArray(value) ? "[" : "{";
    }
  };
  yield* begin(root);
  for (let last = open.at(-1); last; last = open.at(-1)) {
    const part = last.next();
    if (part) {
      yield part.before;
      yield* begin(part.value);
    } else {
      open.pop();
      yield last.end;
    }
  }
}

function openArray(value: readonly Json[]): OpenValue {
  let i = 0;
  return {
    end: "]",
    next() {
      if (i >= value.length) return undefined;
      const before = i === 0 ? "" : ",";
      return { before, value: value[i++] ?? null };
    },
  };
}

function openObject(value: { readonly [key: string]: Json | undefined }): OpenValue {
  const keys = Object.keys(value);
  let [i, separator] = [0, ""];
  return {
    end: "}",
    next() {
      while (i < keys.length && value[keys[i]!] === undefined) i += 1;
      const key = keys[i++];
      if (key === undefined) return undefined;
      const before = `${separator}${JSON.stringify(key)}:`;
      separator = ",";
      return { before, value: value[key]! };
    },
  };
}

/** A string as JSON, in pieces that do not divide surrogate pairs. */
function* stringTokens(text: string): Generator<string, void> {
  if (text.length <= chunkSize) {
    yield JSON.stringify(text);
    return;
  }
  yield '"';
  for (let from = 0; from < text.length; ) {
    const isPair = /[\ud800-\udbff]/.test(text.charAt(from + chunkSize - 1));
    const to = from + chunkSize + (isPair ? 1 : 0);
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
  yield '"';
}
