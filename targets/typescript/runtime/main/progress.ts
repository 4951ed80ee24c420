import type { RunDetail } from "../engine.ts";
import type { Runs } from "./access.ts";
import { printable } from "./log.ts";
import type { Terminal } from "./terminal.ts";

/** Shows the progress of a run in a line on a terminal that changes each second; returns a function that stops it. */
export function watch(runs: Runs, id: string, terminal: Terminal): () => void {
  if (!terminal.isInteractive) return () => undefined;
  const since = Date.now();
  let shown = false;
  const timer = setInterval(async () => {
    const run = await runs.show(id).catch(() => undefined);
    if (!run || !timer.hasRef()) return;
    terminal.err(`\r\u001b[K${lineOf(run, Math.round((Date.now() - since) / 1000))}`);
    shown = true;
  }, 1000);
  return () => {
    clearInterval(timer);
    timer.unref();
    if (shown) terminal.err("\r\u001b[K");
  };
}

function lineOf({ status, steps, waitingFor }: RunDetail, seconds: number): string {
  const last = steps.at(-1);
  const { events, until } = waitingFor;
  const waiting = [...events, ...(until === undefined ? [] : [`until ${until}`])].join(", ");
  const parts = [`${seconds} s`, status, `${steps.length} steps`, last?.key, waiting && `waits for ${waiting}`];
  return printable(parts.filter((part) => part !== undefined && part !== "").join(" · ")).slice(0, 100);
}
