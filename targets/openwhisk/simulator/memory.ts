import { type Context, Script } from "node:vm";
import { type ActivationResponse, broken } from "./response.ts";

// Memory cannot be measured within one process. This estimates a lower bound from the JSON that code parses or prints.

/** The memory that an activation is usage to use. */
export interface MemoryUsage {
  /** The length of the longest JSON string that it has parsed or printed. */
  longest: number;
}

const nodeMegabytes = 40;

/** Instruments `JSON` in a context to record sizes. */
export function trackJsonSizes(context: Context, memory: () => MemoryUsage): void {
  const set = new Script(instrumentJson).runInContext(context) as (record: (length: number) => void) => void;
  set((length) => {
    const usage = memory();
    usage.longest = Math.max(usage.longest, length);
  });
}

const instrumentJson = `(record) => {
  const { parse, stringify } = JSON;
  JSON.parse = (text, ...rest) => {
    if (typeof text === "string") record(text.length);
    return parse(text, ...rest);
  };
  JSON.stringify = (...args) => {
    const text = stringify(...args);
    if (text !== undefined) record(text.length);
    return text;
  };
}`;

/** Replaces the response if the activation has exceeded the memory limit of its action, in MB. */
export const limitMemory = (
  { longest }: MemoryUsage,
  limit: number,
  response: ActivationResponse,
): ActivationResponse =>
  nodeMegabytes + (2 * longest) / 2 ** 20 > limit
    ? broken("The action exhausted its memory and was aborted.")
    : response;
