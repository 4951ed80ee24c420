import type { ActivationScope } from "./activation-scope.ts";
import { PlatformError } from "./entities.ts";

/** How often a namespace may invoke actions and fire triggers in a minute. Components of compositions do not count. */
export interface Rates {
  readonly invocations: number;
  readonly fires: number;
}

/** The rates of a namespace with the default limits. */
export const defaultRates: Rates = { invocations: 120, fires: 60 };

/** Counts the requests of each minute. Throws if there are more than a namespace may make. */
export function createThrottle(rates: Rates | undefined): (kind: keyof Rates, scope: ActivationScope) => void {
  let minute = Number.NaN;
  let counts = { invocations: 0, fires: 0 };
  return (kind, { environment }) => {
    if (!rates) return;
    const now = Math.floor(environment.now() / 60_000);
    if (now !== minute) counts = { invocations: 0, fires: 0 };
    minute = now;
    counts[kind] += 1;
    const { [kind]: count } = counts;
    const { [kind]: allowed } = rates;
    if (count <= allowed) return;
    environment.recorder?.onLimit(`The namespace rejects more than ${allowed} ${kind} in a minute.`);
    throw new PlatformError(429, `Too many requests in the last minute (count: ${count}, allowed: ${allowed}).`);
  };
}
