import { type Context, Script } from "node:vm";
import { broken, type Response } from "./response.ts";

// How much memory an activation takes cannot be measured within one process. What it takes at least can be told of the values that its code copies, as the
// conductor does with each that goes from state to state: there are the value and its text, beside Node itself.

/** What is known of the memory of an activation. */
export interface Memory {
  /** The characters of the longest text of JSON that it has made or read. */
  longest: number;
}

/** What Node takes itself, in MB. */
const mostOfNode = 40;

/** Has the texts of JSON in a context told to the memory of the activation that it belongs to. */
export function weigh(context: Context, memory: () => Memory): void {
  const set = new Script(withWeights).runInContext(context) as (told: (length: number) => void) => void;
  set((length) => {
    const known = memory();
    known.longest = Math.max(known.longest, length);
  });
}

const withWeights = `(told) => {
  const { parse, stringify } = JSON;
  JSON.parse = (text, ...rest) => {
    if (typeof text === "string") told(text.length);
    return parse(text, ...rest);
  };
  JSON.stringify = (...given) => {
    const text = stringify(...given);
    if (text !== undefined) told(text.length);
    return text;
  };
}`;

/** What the platform says of an activation: that it is over where it takes more than its action may, in MB. */
export const within = ({ longest }: Memory, limit: number, response: Response): Response =>
  mostOfNode + (2 * longest) / 2 ** 20 > limit ? broken("The action exhausted its memory and was aborted.") : response;
