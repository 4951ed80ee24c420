import { isObject, type Json, type JsonObject, own } from "../../../../src/json.ts";
import { type Arrival, arrive, changeBoard } from "./board.ts";
import { deliver } from "./events.ts";
import { hears, type Listener } from "./starting.ts";
import { type Surroundings, served } from "./surroundings.ts";

/** The flows of the program that hear events: written in front of this action. */
declare const program: { readonly flows: readonly Listener[] };

/** An event has come, by a trigger and its rule: who waits for it goes on, or a run is started by it, or it is kept for some time. */
export const hear =
  (flows: readonly Listener[]) =>
  async (params: JsonObject, surroundings: Surroundings): Promise<JsonObject> => {
    const event = eventIn(params, surroundings);
    if (!flows.some((flow) => hears(flow, event))) return { heard: false };
    const at = surroundings.now();
    const key = JSON.stringify([own(event, "source") ?? null, own(event, "id") ?? null]);
    const arrival: Arrival = { key, event, at, until: at + surroundings.settings.keepEventsMs };
    const seen = `event:${key}`;
    if (await surroundings.documents.read(seen)) return { heard: true };
    let started = 0;
    const startable = flows.filter(({ flow }) => surroundings.settings.starts?.includes(flow) ?? true);
    const board = await changeBoard(surroundings, "arrive", (now) => {
      started = 0;
      return arrive(now, arrival, startable, () => `${surroundings.id}-${started++}`);
    });
    await surroundings.documents.change(seen, surroundings.id, () => true, {
      keepMs: surroundings.settings.keepEventsMs,
    });
    await deliver(board, surroundings);
    return { heard: true };
  };

/** The CloudEvent that a trigger was fired with; of what is none, one is made as the trigger's parameter `$event` says, with all that came as its data. */
function eventIn({ $event, ...params }: JsonObject, { id }: Surroundings): JsonObject {
  if (typeof params["specversion"] === "string") return params;
  const attributes = typeof $event === "string" ? (JSON.parse($event) as Json) : $event;
  if (isObject(attributes)) return { specversion: "1.0", id, source: "/waybill", ...attributes, data: params };
  throw new Error("This is no CloudEvent: it has no specversion.");
}

export const main = served((params, surroundings) => hear(program.flows)(params, surroundings));
