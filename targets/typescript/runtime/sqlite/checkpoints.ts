import type { Recorded, RoundState } from "../host.ts";
import type { JsonObject } from "../json.ts";
import type { ReplayingRun } from "./replay.ts";

/** Where a run resumes a loop. */
export interface StoredRound {
  /** The place in the journal where the loop began. */
  readonly since: number;
  /** The last entry that the run had received when the round began. */
  readonly after: number;
  /** What a run that is resumed begins with; undefined when it has been given that. */
  readonly state: RoundState | undefined;
}

/** A loop: its name, and what begins the keys of its flow. */
interface Loop {
  readonly key: string;
  readonly prefix: string;
  readonly name: string;
  readonly stored: StoredRound | undefined;
}

/**
 * Begins a round without waiting for a commit: its data follow from the recorded entries, so that later rounds may be
 * repeated after a crash.
 */
export function round(
  run: ReplayingRun,
  prefix: string,
  name: string,
  data: JsonObject,
  entered: Recorded<RoundState["entered"]>,
): Promise<RoundState> {
  const key = `${prefix}\n${name}`;
  const stored = run.rounds.get(key);
  if (stored?.state) {
    run.rounds.set(key, { ...stored, state: undefined });
    if (run.applied < stored.after) return run.ask(key, run.signal, { begin: () => undefined });
    run.ahead.delete(key);
    return Promise.resolve(stored.state);
  }
  const loop = { key, prefix, name, stored };
  if (isToBeStored(run, loop)) storeRound(run, loop, JSON.stringify(data), entered);
  else run.unstored.set(key, stored?.since ?? run.seq);
  return Promise.resolve({ data, entered: {} });
}

/**
 * Whether earlier rounds may be deleted: not during detached work, which only they could repeat; not while the run
 * replays entries behind this round; and not in a loop within another loop whose round was not stored.
 */
function isToBeStored(run: ReplayingRun, { key, prefix, stored }: Loop): boolean {
  if (run.detached > 0) return false;
  if (run.isReplaying && [...run.ahead].some((other) => other.startsWith(prefix))) return false;
  const since = stored?.since ?? run.seq;
  return ![...run.unstored].some(
    ([outer, begun]) => outer !== key && prefix.startsWith(prefixIn(outer)) && since >= begun,
  );
}

function storeRound(
  run: ReplayingRun,
  { key, prefix, name, stored }: Loop,
  data: string,
  entered: Recorded<RoundState["entered"]>,
): void {
  const { sql } = run.core;
  const [since, after] = [stored?.since ?? run.seq++, run.applied];
  for (const [other, { since: begun }] of run.rounds)
    if (begun > since && other.startsWith(prefix)) run.rounds.delete(other);
  for (const [other, begun] of run.unstored) if (begun >= since && other.startsWith(prefix)) run.unstored.delete(other);
  run.rounds.set(key, { since, after, state: undefined });
  const counts = JSON.stringify(entered.toRecord());
  run.survive();
  run.write(() => {
    if (stored) {
      sql.forgetUnder.run(run.ref, since, prefix, prefix);
      sql.forgetRounds.run(run.ref, since, prefix, prefix);
    }
    sql.setRound.run(run.ref, prefix, name, since, after, data, counts);
  });
}

const prefixIn = (key: string): string => key.slice(0, key.indexOf("\n"));
