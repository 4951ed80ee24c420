import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";
import { nameOf, putAction } from "./entities.ts";
import type { Place } from "./place.ts";
import type { Platform } from "./platform.ts";

/**
 * Deploys the feeds `once` and `interval` of the alarms package. `ticks`: whether intervals ring at all; they would never let virtual time end.
 */
export function installAlarms(platform: Platform, { ticks }: { readonly ticks: boolean }): void {
  const alarms = new Map<string, AbortController>();
  for (const feed of ["once", "interval"] as const) {
    const run = async (params: JsonObject, { signal: _, ...place }: Place): Promise<Json> => {
      const trigger = nameOf(platform.entities, String(own(params, "triggerName")));
      const event = own(params, "lifecycleEvent");
      if (event === "DELETE") alarms.get(trigger)?.abort();
      if (event !== "CREATE" && event !== "UPDATE") return { ok: true };
      const alarm = new AbortController();
      alarms.get(trigger)?.abort();
      alarms.set(trigger, alarm);
      const refusal = feed === "once" ? once(platform, trigger, params, place, alarm.signal) : undefined;
      if (feed === "interval" && ticks) interval(platform, trigger, params, place, alarm.signal);
      return refusal === undefined ? { ok: true } : { error: refusal };
    };
    putAction(platform.entities, `/whisk.system/alarms/${feed}`, { exec: { kind: "native", run } });
  }
}

/** Sets an alarm for an instant; why that cannot be. */
function once(
  platform: Platform,
  trigger: string,
  params: JsonObject,
  place: Place,
  signal: AbortSignal,
): string | undefined {
  const date = own(params, "date");
  const at = typeof date === "number" ? date : Date.parse(String(date));
  const now = place.environment.now();
  if (Number.isNaN(at)) return `date parameter '${date}' is not a valid Date`;
  if (at <= now) return "the fire once date has expired";
  const after = own(params, "deleteAfterFire");
  const ring = () => {
    fire(platform, trigger, params, place);
    const { rules, triggers } = platform.entities;
    if (after === "rules") for (const rule of rules.values()) if (rule.trigger === trigger) rules.delete(rule.name);
    if (after === "rules" || after === true || after === "true") triggers.delete(trigger);
  };
  place.environment.sleep((at - now) / 1000, signal, place.position).then(ring, () => undefined);
  return undefined;
}

/** Rings every so many minutes. */
function interval(platform: Platform, trigger: string, params: JsonObject, place: Place, signal: AbortSignal): void {
  const minutes = Number(own(params, "minutes"));
  const again = (): void =>
    void place.environment.sleep(minutes * 60, signal, place.position).then(
      () => {
        fire(platform, trigger, params, place);
        again();
      },
      () => undefined,
    );
  again();
}

/** Fires the trigger of an alarm, if it is still there. */
function fire(platform: Platform, trigger: string, params: JsonObject, place: Place): void {
  const given = own(params, "trigger_payload");
  const payload: unknown = typeof given === "string" ? JSON.parse(given) : given;
  if (platform.entities.triggers.has(trigger)) platform.fire(trigger, isObject(payload) ? payload : {}, place);
}
