import type { JsonObject } from "../../../../src/json.ts";
import { simulate } from "../../../../src/scenario/simulation.ts";
import type { World } from "../../../../src/world.ts";
import { installAlarms } from "../../../../targets/openwhisk/run/alarms.ts";
import { clientOf } from "../../../../targets/openwhisk/run/client.ts";
import { type ActionRequest, putAction } from "../../../../targets/openwhisk/run/entities.ts";
import type { Place } from "../../../../targets/openwhisk/run/place.ts";
import { createPlatform, type Platform } from "../../../../targets/openwhisk/run/platform.ts";

/** A platform of nobody, with what a test does on it. */
export interface Site {
  readonly platform: Platform;
  readonly world: World;
  readonly place: Place;
  put(name: string, code: string, request?: Partial<ActionRequest>): void;
  /** What comes of an action. */
  invoke(name: string, params?: JsonObject): Promise<JsonObject>;
}

/** Lets something happen on a platform, on virtual time from the year 2020 on; what it gives. Functions answer `{ "<name>": n }` after a second. */
export async function onPlatform<T>(work: (site: Site) => Promise<T>): Promise<T> {
  let given: T | undefined;
  const seen = await simulate(
    {
      clock: Date.UTC(2020, 0, 1),
      events: [],
      reply: async (name, index) => ({ takes: 1, answer: { kind: "returns", value: { [name]: index } } }),
    },
    async (world) => {
      world.started();
      given = await work(siteIn(world));
      return { status: "succeeded", output: null };
    },
  );
  if (seen.outcome.status !== "succeeded") throw new Error(`It is ${seen.outcome.status}.`);
  return given!;
}

function siteIn(world: World): Site {
  const place: Place = { world, position: [] };
  const platform = createPlatform({
    reach: (at, _action, within) => ({
      modules: { openwhisk: clientOf(within, at, async () => false) },
      fetch: undefined,
    }),
    fault: (error) => {
      throw error;
    },
  });
  installAlarms(platform, { ticks: true });
  return {
    ...{ platform, world, place },
    put(name, code, request = {}) {
      putAction(platform.entities, name, {
        exec: { kind: "code", runtime: "nodejs:20", code, main: "main" },
        ...request,
      });
    },
    async invoke(name, params = {}) {
      const { response } = await platform.invoke(name, params, place).ended;
      return response as unknown as JsonObject;
    },
  };
}
