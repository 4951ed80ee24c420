import { RequestError } from "./api.ts";

/** Whether the last request succeeded; undefined before the first. */
export type Connection = "live" | "lost" | undefined;

/** Repeats work while the page is visible. */
export interface Polling {
  /** Does the work now. */
  now(): Promise<void>;
  stop(): void;
}

const maxDelay = 30_000;

/**
 * Does work now and again after each delay, which doubles up to 30 s while the server does not respond. Calls do not
 * overlap. Errors of single requests are passed to `failed`.
 */
export function poll(
  delay: number,
  work: () => Promise<void>,
  connection: (state: Connection) => void,
  failed: (error: RequestError) => void = () => undefined,
): Polling {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let isStopped = false;
  let wait = delay;
  const once = async () => {
    try {
      await work();
      wait = delay;
      if (!isStopped) connection("live");
    } catch (thrown) {
      if (isStopped) return;
      const isAway = thrown instanceof RequestError && (thrown.status === 0 || thrown.status >= 500);
      if (isAway) wait = Math.min(wait * 2, maxDelay);
      connection(isAway ? "lost" : "live");
      if (!(thrown instanceof RequestError)) throw thrown;
      failed(thrown);
    }
  };
  const now = (): Promise<void> => {
    clearTimeout(timer);
    running ??= once().finally(() => {
      running = undefined;
      if (!isStopped && !document.hidden) timer = setTimeout(now, wait);
    });
    return running;
  };
  const shown = () => {
    if (!document.hidden) void now();
  };
  document.addEventListener("visibilitychange", shown);
  void now();
  return {
    now,
    stop() {
      isStopped = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", shown);
    },
  };
}
