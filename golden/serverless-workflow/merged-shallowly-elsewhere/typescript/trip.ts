// What subflows, actions side by side and… 1.0, from serverless-workflow. Change the definition, not this file.
import { customer } from "./customer.ts";
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  hotel(argument: { readonly city: Json }, step: Step): Answer<Json>;
  flight(argument: { readonly city: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly address?: { readonly city?: Json; readonly [member: string]: Json | undefined };
  readonly [member: string]: Json | undefined;
};

/** What subflows, actions side by side and events without a token give replaces members too */
export const trip = defineWorkflow({
  id: "trip",
  version: "11095ae22d4cc597",
  name: "What subflows, actions side by side and events without a token give replaces members too",
  events: { Changed: { type: "trip.changed", source: "/desk" } },
  waits: { Await: { alternatives: [{ all: [["Changed"]] }] } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Customer (subflow state)
    const customerResult = await flow.invoke("Customer", customer, data, { terminates: true });
    data = assignResult(data, customerResult, "customer");
    // Book (operation state)
    const bookResults = await flow.fork("Book", {
      hotel: (flow) => bookHotel(flow, fn, data),
      flight: (flow) => bookFlight(flow, fn, data),
    });
    data = assignResult(data, bookResults.hotel, "hotel");
    data = assignResult(data, bookResults.flight, "flight");
    // Await (event state)
    const awaitReceived = await flow.receive("Await");
    data = assignResult(data, awaitReceived.events[0]?.event.data ?? null, "Changed");
    return data;
  },
});

/** Book / hotel */
async function bookHotel(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  const hotel = await flow.step("Book/hotel", (step) =>
    fn.hotel({ city: data.address?.city ?? null }, step),
  );
  return hotel;
}

/** Book / flight */
async function bookFlight(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  const flight = await flow.step("Book/flight", (step) =>
    fn.flight({ city: data.address?.city ?? null }, step),
  );
  return flight;
}
