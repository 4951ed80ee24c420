import type { ListedRun, RunFilter, RunPage, RunSummary, StepFilter } from "./engine.ts";

/** The size of a page of runs: the default, and the maximum. */
export const [defaultLimit, maxLimit] = [100, 1000];

/** The part of a filter that selects a page: runs with smaller numbers than `before`, at most `limit`. */
export interface PageRange {
  readonly limit: number;
  readonly before: number;
}

/** The page that a filter selects. Throws a `RangeError` if the limit or the cursor is invalid. */
export function pageRange({ limit = defaultLimit, after }: RunFilter): PageRange {
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit)
    throw new RangeError(`The limit must be an integer from 1 to ${maxLimit}.`);
  if (after !== undefined && !isCursor(after)) throw new RangeError("The cursor is not one that a page has returned.");
  return { limit, before: after === undefined ? Number.MAX_SAFE_INTEGER : Number(after) };
}

/** The part of a filter of steps that selects a page. */
export interface StepRange {
  readonly limit: number;
  readonly after: number;
  /** The maximum length of a result, in bytes. */
  readonly maxSize: number;
}

/** The maximum length of the results of a page, in bytes. */
const maxPageSize = 1_000_000;

/** The page of steps that a filter selects. Throws a `RangeError` if the limit or the cursor is invalid. */
export function stepRange({ limit, after }: StepFilter): StepRange {
  const range = pageRange({ limit, after });
  return {
    limit: range.limit,
    after: after === undefined ? 0 : Number(after),
    maxSize: Math.floor(maxPageSize / range.limit),
  };
}

/** Whether a filter includes a workflow; undefined is one that the store does not name. */
export const includesWorkflow = ({ workflow, workflows }: RunFilter, id: string | undefined): boolean =>
  (workflow === undefined || workflow === id) && (workflows === undefined || workflows.some((each) => each === id));

/** Whether a string has the form of a cursor: the number of the last run of a page. */
export const isCursor = (text: string): boolean => /^\d{1,15}$/.test(text);

/** Makes a page of runs and their numbers, newest first; if there are more than `limit`, the page has a cursor. */
export function pageOf(found: readonly { readonly number: number; readonly run: ListedRun }[], limit: number): RunPage {
  const runs = found.slice(0, limit).map(({ run }) => run);
  return found.length > limit ? { runs, next: `${found[limit - 1]!.number}` } : { runs };
}

/** The form of a run in a list: without its output, and with a short error message. */
export function listedRun({ output: _, error, ...run }: RunSummary): ListedRun {
  return error === undefined ? run : { ...run, error: { name: shorten(error.name), message: shorten(error.message) } };
}

/** The maximum size of error messages in lists, in bytes of UTF-8. */
const maxBytes = 1000;

/** The beginning of a string, at most 1,000 bytes long; the last character of a shortened string is an ellipsis. */
export function shorten(text: string): string {
  if (text.length * 3 <= maxBytes) return text;
  const start = text.slice(0, maxBytes);
  if (start.length === text.length && Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(start).subarray(0, maxBytes - 3);
  const whole = new TextDecoder("utf-8").decode(bytes, { stream: true });
  return `${whole}…`;
}
