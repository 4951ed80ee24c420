import type { Engine, UnsentCounts } from "../engine.ts";
import type { Exchange } from "./handler.ts";
import { answer } from "./refusal.ts";

/**
 * Responds whether the server accepts requests, and how many emitted events no sink has accepted. If the store takes
 * long to count them, the last known numbers are used.
 */
export async function getHealth({ engine, response, options: { stopping } }: Exchange): Promise<void> {
  const isAvailable = () => !stopping?.aborted && !engine.fault();
  const { unsent, refused } = isAvailable() ? await countSoon(engine) : noEvents;
  const status = isAvailable() ? "ok" : stopping?.aborted ? "stopping" : "store";
  const more = { ...(unsent > 0 && { unsent }), ...(refused > 0 && { refused }) };
  answer(response, status === "ok" ? 200 : 503, { status, ...more }, status === "store" ? retryLater : {});
}

const noEvents: UnsentCounts = { unsent: 0, refused: 0 };

/** How long the store may take to count events, in milliseconds. */
const patience = 25;

/** The counts that are in progress, and the last results. */
const counting = new WeakMap<Engine, Promise<UnsentCounts>>();
const counted = new WeakMap<Engine, UnsentCounts>();

async function countSoon(engine: Engine): Promise<UnsentCounts> {
  const last = () => counted.get(engine) ?? noEvents;
  const count = async () => {
    try {
      counted.set(engine, await engine.unsent());
    } catch {
      // The store is unavailable, which its next commit shows.
    }
    return last();
  };
  const current = counting.get(engine) ?? count();
  counting.set(engine, current);
  current.then(() => counting.delete(engine));
  const { promise: late, resolve } = Promise.withResolvers<UnsentCounts>();
  const timer = setTimeout(() => resolve(last()), patience);
  try {
    return await Promise.race([current, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The delay after which clients may retry if the store cannot be written. */
export const retryLater = { "retry-after": "5" };

/** Responds what the credentials of the request permit. */
export function getAccess({ response, grant: { may, workflows } }: Exchange): void {
  answer(response, 200, { may, workflows });
}
