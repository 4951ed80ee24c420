import type { JsonObject } from "../../../../src/json.ts";
import { createDocuments, type Documents } from "../store/documents.ts";
import { openStore } from "../store/open.ts";
import type { StoreAddress } from "../store/store.ts";
import { createPlatform, type Platform } from "./platform.ts";
import { secretsIn } from "./secrets.ts";

/** All that a helper action touches. */
export interface Surroundings {
  readonly platform: Platform;
  readonly documents: Documents;
  readonly settings: RunSettings;
  /** The texts of secrets, by id and key. */
  readonly secrets: { readonly [id: string]: { readonly [key: string]: string } };
  now(): number;
  sleep(ms: number): Promise<void>;
  /** A text that nothing else has: the same for the same question, when an activation does something again. */
  readonly id: string;
}

/** What the package says of runs, in its parameter `$settings`. */
export interface RunSettings {
  /** The package of the helpers, such as `/_/waybill`. */
  readonly package: string;
  /** Delays up to this are slept, longer ones cost no time of an action. */
  readonly insideMs: number;
  /** How long events are kept that nothing has taken. */
  readonly keepEventsMs: number;
  /** How long outcomes of runs are kept. */
  readonly keepOutcomesMs: number;
  /** A thread that has been going for longer without a checkpoint is listed as stalled. */
  readonly stalledMs: number;
  /** Whether each wait has an alarm of its own, or the sweeper looks after all of them. */
  readonly timers: "alarms" | "sweeper";
  /** The trigger that is fired when a run of a workflow has ended, by the name of its action without the namespace. */
  readonly ended: { readonly [action: string]: string };
  /** The flows that events may start now; absent: all that they can start. */
  readonly starts?: readonly string[] | undefined;
}

/** Where the store is, the settings and the secrets, as they stand in the parameters of an action: objects, or texts as a manifest has them. */
interface Given {
  readonly $store?: StoreAddress | string;
  readonly $settings?: Partial<RunSettings> | string;
  readonly $secrets?: Surroundings["secrets"] | string;
}

/** What is said where the package says nothing. */
export const defaults: RunSettings = {
  package: "/_/waybill",
  insideMs: 30_000,
  keepEventsMs: 86_400_000,
  keepOutcomesMs: 604_800_000,
  stalledMs: 900_000,
  timers: "alarms",
  ended: {},
};

/** A helper action: what it answers to its parameters. */
export type Action = (params: JsonObject, surroundings: Surroundings) => Promise<JsonObject>;

/** How the text begins by which a helper says that the platform or the store has failed. */
export const platformFailure = "waybill: ";

/**
 * An action as OpenWhisk calls it. Where the platform or the store fails, its answer is the error as a text: an error of the workflow is
 * always an object, so that the conductor can tell them apart.
 */
export const served =
  (action: Action) =>
  async (given: JsonObject): Promise<JsonObject> => {
    const { $store, $settings, $secrets, ...params } = given as JsonObject & Given;
    const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.min(ms, longestTimer)));
    const store = openStore(typeof $store === "string" ? { url: $store } : $store);
    try {
      return await action(params, {
        platform: createPlatform(sleep),
        documents: createDocuments(store, { sleep }),
        settings: { ...defaults, ...parsed($settings) },
        secrets: secretsIn($secrets),
        now: () => Date.now(),
        sleep,
        id: process.env["__OW_ACTIVATION_ID"] ?? "",
      });
    } catch (error) {
      console.error(error);
      return { error: `${platformFailure}${error instanceof Error ? error.message : String(error)}` };
    } finally {
      await store.close();
    }
  };

/** The longest time that a timer of Node counts, in milliseconds: more than any action is at work. */
const longestTimer = 2 ** 31 - 1;

const parsed = <T>(value: T | string | undefined): T | undefined =>
  typeof value === "string" ? (JSON.parse(value) as T) : value;
