import type { ProcessUnderTest } from "./process.ts";

/** Response times of `/health`, in milliseconds. */
export interface HealthTimes {
  readonly requests: number;
  readonly p999: number;
  readonly max: number;
}

/** Measures the response times of `/health` of processes. */
export interface HealthProbe {
  /** Requests `/health` of a process until it ends. Times while the process itself is disturbed do not count. */
  watch(process: ProcessUnderTest): Promise<void>;
  times(): HealthTimes;
}

const [interval, longest] = [20, 20_000];

/** Creates a probe. */
export function createHealthProbe(): HealthProbe {
  const times: number[] = [];
  return {
    async watch(process) {
      while (!process.isEnded) {
        const { disturbances, isDisturbed } = process;
        const began = performance.now();
        await fetch(`${process.url}/health`, { signal: AbortSignal.timeout(longest) })
          .then((response) => response.text())
          .catch(() => undefined);
        const isCounted = !isDisturbed && !process.isDisturbed && disturbances === process.disturbances;
        if (isCounted && !process.isEnded) times.push(performance.now() - began);
        await new Promise((resolve) => setTimeout(resolve, interval));
      }
    },
    times() {
      times.sort((a, b) => a - b);
      return {
        requests: times.length,
        p999: Math.round(times[Math.floor(times.length * 0.999)] ?? 0),
        max: Math.round(times.at(-1) ?? 0),
      };
    },
  };
}
