import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";
import type { ActivationScope } from "./activation-scope.ts";
import { putAction, requireName } from "./entities.ts";
import type { Platform } from "./platform.ts";

/**
 * Installs the feeds `once` and `interval` of the alarms package. `ticks`: whether intervals fire; then virtual time
 * never ends.
 */
export function installAlarms(platform: Platform, { ticks }: { readonly ticks: boolean }): void {
  const alarms = new Map<string, AbortController>();
  for (const feed of ["once", "interval"] as const) {
    const run = async (params: JsonObject, { signal: _, ...scope }: ActivationScope): Promise<Json> => {
      const trigger = requireName(platform.entities, String(own(params, "triggerName")));
      const event = own(params, "lifecycleEvent");
      if (event === "DELETE") alarms.get(trigger)?.abort();
      if (event !== "CREATE" && event !== "UPDATE") return { ok: true };
      const alarm = new AbortController();
      alarms.get(trigger)?.abort();
      alarms.set(trigger, alarm);
      const failure = feed === "once" ? once(platform, trigger, params, scope, alarm.signal) : undefined;
      if (feed === "interval" && ticks) interval(platform, trigger, params, scope, alarm.signal);
      return failure === undefined ? { ok: true } : { error: failure };
    };
    putAction(platform.entities, `/whisk.system/alarms/${feed}`, { exec: { kind: "native", run } });
  }
}

/** Returns an error message if the request is invalid. */
function once(
  platform: Platform,
  trigger: string,
  params: JsonObject,
  scope: ActivationScope,
  signal: AbortSignal,
): string | undefined {
  const date = own(params, "date");
  const at = typeof date === "number" ? date : Date.parse(String(date));
  const now = scope.environment.now();
  if (Number.isNaN(at)) return `date parameter '${date}' is not a valid Date`;
  if (at <= now) return "the fire once date has expired";
  const after = own(params, "deleteAfterFire");
  const onTime = () => {
    fire(platform, trigger, params, scope);
    const { rules, triggers } = platform.entities;
    if (after === "rules") for (const rule of rules.values()) if (rule.trigger === trigger) rules.delete(rule.name);
    if (after === "rules" || after === true || after === "true") triggers.delete(trigger);
  };
  scope.environment.sleep((at - now) / 1000, signal, scope.position).then(onTime, () => undefined);
  return undefined;
}

function interval(
  platform: Platform,
  trigger: string,
  params: JsonObject,
  scope: ActivationScope,
  signal: AbortSignal,
): void {
  const minutes = Number(own(params, "minutes"));
  const scheduleNext = (): void =>
    void scope.environment.sleep(minutes * 60, signal, scope.position).then(
      () => {
        fire(platform, trigger, params, scope);
        scheduleNext();
      },
      () => undefined,
    );
  scheduleNext();
}

/** Fires a trigger unless it has been deleted. */
function fire(platform: Platform, trigger: string, params: JsonObject, scope: ActivationScope): void {
  const payloadText = own(params, "trigger_payload");
  const payload: unknown = typeof payloadText === "string" ? JSON.parse(payloadText) : payloadText;
  if (platform.entities.triggers.has(trigger)) platform.fire(trigger, isObject(payload) ? payload : {}, scope);
}
