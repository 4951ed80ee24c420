import type { JsonObject } from "../../../../src/json.ts";
import { type Surroundings, served } from "./surroundings.ts";
import { ring } from "./timers.ts";

/** An alarm of a checkpoint has rung: the thread goes on, unless it has already. */
export async function timeout({ thread, at }: JsonObject, surroundings: Surroundings): Promise<JsonObject> {
  await ring(String(thread), String(at), surroundings);
  return {};
}

export const main = served(timeout);
