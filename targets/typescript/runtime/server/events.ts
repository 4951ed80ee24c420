import type { Delivery } from "../engine.ts";
import { mediaType, readBytes } from "./body.ts";
import { eventsIn } from "./cloudevents.ts";
import type { Exchange } from "./handler.ts";
import { answer } from "./refusal.ts";

/** The longest body in bytes where nothing else is said. */
export const usualMaximum = 10 * 1024 * 1024;

/** So many events of a batch are taken in before others have their turn. */
const atOnce = 250;

/** Takes events in. Of a batch with a malformed event none is taken; one that was taken before is answered for like any other, and said to be a duplicate. */
export async function postEvents({ engine, request, response, options }: Exchange): Promise<void> {
  const body = await readBytes(request, options.maximumBytes ?? usualMaximum);
  const type = mediaType(request);
  const events = eventsIn({ headers: request.headers, type, body });
  const deliveries: Delivery[] = [];
  for (let i = 0; i < events.length; i += atOnce)
    deliveries.push(...(await Promise.all(events.slice(i, i + atOnce).map((event) => engine.deliver(event)))));
  const told = deliveries.map(({ status, started, delivered }) => ({ status, started, delivered }));
  answer(response, 202, type === "application/cloudevents-batch+json" ? { events: told } : told[0]!);
}
