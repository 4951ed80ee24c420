import { type Json, type JsonObject, own } from "../../../../src/json.ts";
import { isKey, isSameKey, sign, verify } from "../proof.ts";
import type { Documents } from "../store/documents.ts";
import { createPlatform, type Platform } from "./platform.ts";
import { secretsIn } from "./secrets.ts";
import type { AbandonBranches } from "./threads.ts";

/** The environment of an operation that needs no store. */
export interface ActionContext {
  readonly platform: Platform;
  readonly settings: RunSettings;
  /** By id and key. */
  readonly secrets: { readonly [id: string]: { readonly [key: string]: string } };
  /** Signs the state with which a conductor is started. */
  sign(state: JsonObject): JsonObject;
  now(): number;
  sleep(ms: number): Promise<void>;
  /** The id of this activation. */
  readonly id: string;
}

/** The environment of an operation on suspended runs. */
export interface HelperContext extends ActionContext {
  readonly documents: Documents;
  /** Releases what abandoned branches have waited for. Undefined in programs without events. */
  readonly abandon?: AbandonBranches | undefined;
}

/** The settings of a program, in the parameter `$settings`. */
export interface RunSettings {
  /** The helper action: `/_/waybill/rt`. */
  readonly helper: string;
  /** The longest delay that an action sleeps through. */
  readonly insideMs: number;
  /** How long unused events are kept, and recognized when they are repeated. */
  readonly keepEventsMs: number;
  readonly keepOutcomesMs: number;
  /** After how long without a checkpoint a thread is listed as stalled. */
  readonly stalledMs: number;
  /** Whether each timer has an alarm, or the janitor looks after all of them. */
  readonly timers: "alarms" | "sweeper";
  /** The triggers that report the ends of runs, by action without namespace. */
  readonly ended: { readonly [action: string]: string };
  /** The workflows that events may start. Default: all. */
  readonly starts?: readonly string[] | undefined;
}

/** The settings of a program that has none. */
export const defaultSettings: RunSettings = {
  helper: "/_/waybill/rt",
  insideMs: 30_000,
  keepEventsMs: 86_400_000,
  keepOutcomesMs: 604_800_000,
  stalledMs: 900_000,
  timers: "alarms",
  ended: {},
};

/** An operation of the helper action. */
export type Operation<Context = HelperContext> = (request: JsonObject, context: Context) => Promise<JsonObject>;

/** The operations of the helper action. */
export interface Operations<Context = HelperContext> {
  /** Requested by conductors, which sign the state of the run. */
  readonly conductor: { readonly [operation: string]: Operation<Context> };
  /** Requested by alarms and operators, without proof. They only do what is due anyway. */
  readonly open?: { readonly [operation: string]: Operation<Context> };
  /** Requested by operators, with the key of the deployment as `key`. */
  readonly operator?: Operation<Context>;
  /** Receives all other parameters: the event of a trigger. */
  readonly event?: Operation<Context>;
}

/** The prefix of errors of the platform or the store. They are strings; errors of workflows are objects. */
export const platformFailure = "waybill: ";

/** Runs an operation with the environment that it needs. `$store` is the parameter with the address of the store. */
export type RunIn<Context> = (
  context: ActionContext,
  $store: Json | undefined,
  run: (context: Context) => Promise<JsonObject>,
) => Promise<JsonObject>;

/** Runs an operation without a store. */
export const withoutStore: RunIn<ActionContext> = (context, _, run) => run(context);

/** Creates the helper action. */
export const createMain =
  <Context extends ActionContext>(operations: Operations<Context>, runIn: RunIn<Context>) =>
  async (given: JsonObject): Promise<JsonObject> => {
    const { $store, $settings, $secrets, $waybillKey: key, ...params } = given;
    const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.min(ms, maxTimerMs)));
    try {
      if (!isKey(key)) throw new Error("The action has no parameter $waybillKey. Set WAYBILL_KEY and deploy again.");
      const [operation, request] = chooseOperation(operations, params, key);
      const context: ActionContext = {
        platform: createPlatform(sleep),
        settings: { ...defaultSettings, ...(parsed($settings) as Partial<RunSettings> | undefined) },
        secrets: secretsIn($secrets as string | undefined),
        sign: (state) => sign(state, "continue", key),
        now: () => Date.now(),
        sleep,
        id: process.env["__OW_ACTIVATION_ID"] ?? "",
      };
      return await runIn(context, $store, (whole) => operation(request, whole));
    } catch (error) {
      console.error(error);
      return { error: `${platformFailure}${error instanceof Error ? error.message : String(error)}` };
    }
  };

/** Longer timers of Node.js fire at once. */
const maxTimerMs = 2 ** 31 - 1;

const parsed = (value: Json | undefined): Json | undefined =>
  typeof value === "string" ? (JSON.parse(value) as Json) : value;

/**
 * The operation that parameters request. A trigger passes whatever its source sends, so that only signed requests reach
 * the operations of conductors.
 */
export function chooseOperation<Context>(
  { conductor, open = {}, operator, event }: Operations<Context>,
  params: JsonObject,
  key: string,
): readonly [Operation<Context>, JsonObject] {
  const { operation: name, ...request } = params;
  if (typeof name === "string" && Object.hasOwn(conductor, name) && own(params, "$waybill") !== undefined) {
    const caller = verify(own(params, "$waybill"), "call", key);
    if (!caller) throw new Error("The parameter $waybill does not come from this deployment.");
    return [conductor[name]!, { ...request, $waybill: caller }];
  }
  const isEvent = own(params, "specversion") !== undefined || own(params, "$event") !== undefined;
  if (!isEvent && typeof name === "string" && Object.hasOwn(open, name)) return [open[name]!, request];
  if (!isEvent && operator && name === "operate") {
    if (!isSameKey(own(request, "key"), key)) throw new Error("The parameter key is not the key of this deployment.");
    return [operator, request];
  }
  if (!event) throw new Error(`The action has no operation ${JSON.stringify(name ?? null)}.`);
  return [event, params];
}
