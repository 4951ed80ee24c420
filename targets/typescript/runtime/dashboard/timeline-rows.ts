import type { PendingStep, StepRecord } from "./model.ts";
import { parseStepKey, type StepKey } from "./step-key.ts";

/** A step of the timeline with all its attempts. */
export interface TimelineRow {
  /** The key of its first attempt. */
  readonly key: string;
  readonly parsed: StepKey;
  readonly attempts: readonly StepRecord[];
  /** The fired timers of its retries and timeouts. */
  readonly timers: readonly StepRecord[];
  readonly pending: PendingStep | undefined;
}

interface MutableRow extends TimelineRow {
  readonly attempts: StepRecord[];
  /** The answers of the tasks of its attempts. */
  readonly answers: StepRecord[];
  readonly timers: StepRecord[];
  pending: PendingStep | undefined;
}

/** The rows of a timeline: attempts of a step and the timers of its retries share one. */
export function timelineRows(steps: readonly StepRecord[], pending: readonly PendingStep[]): readonly TimelineRow[] {
  const rows: MutableRow[] = [];
  const latest = new Map<string, MutableRow>();
  const add = (key: string, parsed: StepKey): MutableRow => {
    const row: MutableRow = { key, parsed, attempts: [], answers: [], timers: [], pending: undefined };
    rows.push(row);
    latest.set(baseOf(parsed), row);
    return row;
  };
  for (const step of steps) {
    const parsed = parseStepKey(step.key);
    if (parsed.timer === "time" || parsed.task === "token") continue;
    const known = latest.get(baseOf(parsed));
    if (parsed.task) (known ?? add(step.key, parsed)).answers.push(step);
    else if (parsed.timer) (known ?? add(step.key, parsed)).timers.push(step);
    else (known && isAgain(known, step.attempt) ? known : add(step.key, parsed)).attempts.push(step);
  }
  for (const each of pending) {
    const parsed = parseStepKey(each.key);
    const known = latest.get(baseOf(parsed));
    const isOwn = known && (parsed.timer || parsed.task ? true : isAgain(known, undefined));
    const row = isOwn ? known : add(each.key, parsed);
    if (parsed.task) row.pending = each;
    else row.pending ??= each;
  }
  return rows.map(({ answers, ...row }) => (answers.length === 0 ? row : { ...row, attempts: answered(row, answers) }));
}

/** The attempts of a step with the answers of their tasks as results. */
const answered = ({ attempts }: TimelineRow, answers: readonly StepRecord[]): readonly StepRecord[] =>
  Array.from({ length: Math.max(attempts.length, answers.length) }, (_, i) => {
    const [call, answer] = [attempts[i], answers[i]];
    if (!call || !answer) return (answer ?? call)!;
    const { began = answer.began, attempt } = call;
    return { ...answer, ...(began !== undefined && { began }), ...(attempt !== undefined && { attempt }) };
  });

/** Whether a row's step failed, and the next result is that of another attempt. */
function isAgain({ attempts, answers, timers }: MutableRow, attempt: number | undefined): boolean {
  if ((answers.at(-1) ?? attempts.at(-1))?.status !== "failed") return false;
  if (attempt !== undefined) return attempt > 1;
  return timers.some(({ key }) => parseStepKey(key).timer === "retry");
}

/** A step in its place, without its counter. */
const baseOf = ({ path }: StepKey): string =>
  JSON.stringify(path.map(({ name, count, part }) => (part === undefined ? [name] : [name, count, part])));
