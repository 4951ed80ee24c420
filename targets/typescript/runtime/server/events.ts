import type { Delivery } from "../engine.ts";
import { mediaType, readBytes } from "./body.ts";
import { eventsIn } from "./cloudevents.ts";
import type { Exchange } from "./handler.ts";
import { answer } from "./refusal.ts";

/** The longest body in bytes where nothing else is said. */
export const usualMaximum = 10 * 1024 * 1024;

/** Takes events in. Of a batch with a malformed event none is taken; one that was taken before is answered for like any other, and said to be a duplicate. */
export async function postEvents({ engine, request, response, options }: Exchange): Promise<void> {
  const body = await readBytes(request, options.maximumBytes ?? usualMaximum);
  const type = mediaType(request);
  const events = eventsIn({ headers: request.headers, type, body });
  const deliveries: readonly Delivery[] = await Promise.all(events.map((event) => engine.deliver(event)));
  const told = deliveries.map(({ status, started, delivered }) => ({ status, started, delivered }));
  answer(response, 202, type === "application/cloudevents-batch+json" ? { events: told } : told[0]!);
}
