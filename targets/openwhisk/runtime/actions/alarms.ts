import type { HelperContext } from "./action.ts";
import type { Checkpoint } from "./threads.ts";

/**
 * Sets the alarm of a checkpoint. Alarms reject dates in the past, so that a timer that is due fires at once, after the
 * events of the same instant. Without an alarm the janitor fires it later.
 */
export async function setAlarm(thread: string, { id, due }: Checkpoint, context: HelperContext): Promise<void> {
  const { platform, settings, now, sleep } = context;
  if (due === undefined) return;
  const params = { operation: "timeout", thread, at: id };
  if (due <= now()) {
    await sleep(0);
    await platform.start(settings.helper, params);
  } else if (settings.timers === "alarms")
    await platform.setAlarm(alarmName(id, due), due, settings.helper, params).catch((error) => console.error(error));
}

/** Removes the alarm of a checkpoint. If it fires, it has no effect. */
export async function removeAlarm({ id, due }: Checkpoint, { platform, settings }: HelperContext): Promise<void> {
  if (due !== undefined && settings.timers === "alarms") await platform.removeAlarm(alarmName(id, due));
}

const alarmName = (id: string, due: number): string => `waybill-${id.replaceAll(/[^\w.-]/g, "-").slice(0, 200)}-${due}`;
