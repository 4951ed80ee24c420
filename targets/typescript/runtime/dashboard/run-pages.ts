import type { Api, Query } from "./api.ts";
import type { RunPage, RunRow } from "./model.ts";

/** Consecutive runs of the list, which begin behind a cursor. */
interface Segment {
  readonly after: string | undefined;
  readonly runs: readonly RunRow[];
}

/** The loaded part of a list of runs. */
export interface RunPages {
  readonly runs: readonly RunRow[];
  readonly hasMore: boolean;
  /** Loads the next runs. */
  more(): Promise<void>;
  /**
   * Loads the newest runs and those between two indexes again. Returns false if so many are new that they do not
   * connect to the list, which then stays as it is.
   */
  refresh(first: number, last: number): Promise<boolean>;
}

const pageSize = 200;
const headSize = 100;
/** Rows in the middle of the list that have begun to match the filter. */
const slack = 20;
const maxLimit = 1000;

/** Creates an empty list. */
export function createRunPages(api: Api, filter: Query): RunPages {
  let segments: readonly Segment[] = [];
  let next: string | undefined;
  let isStarted = false;
  let flat: readonly RunRow[] = [];
  const load = (after: string | undefined, limit: number) => api.get<RunPage>("/runs", { ...filter, limit, after });

  function set(list: readonly Segment[]): void {
    segments = joined(list.filter(({ runs }) => runs.length > 0));
    const known = new Map<string, RunRow>();
    for (const { runs } of segments) for (const run of runs) if (!known.has(run.id)) known.set(run.id, run);
    flat = [...known.values()];
  }

  async function refreshHead(): Promise<boolean> {
    const page = await load(undefined, headSize);
    const head = segments[0]?.runs ?? [];
    const last = page.runs.at(-1)?.id;
    const place = head.findIndex(({ id }) => id === last);
    const ids = new Set(page.runs.map(({ id }) => id));
    const isShort = page.runs.length < headSize;
    const isConnected = isShort || place >= 0 || head.some(({ id }) => ids.has(id));
    if (!isConnected && flat.length > 0) return false;
    const first = { after: undefined, runs: page.runs };
    if (page.next === undefined) {
      next = undefined;
      set([first]);
      return true;
    }
    const rest = place >= 0 ? head.slice(place + 1) : isShort ? head.filter(({ id }) => !ids.has(id)) : [];
    if (segments.length <= 1 && rest.length === 0) next = page.next;
    set([first, { after: page.next, runs: rest }, ...segments.slice(1)]);
    return true;
  }

  async function refreshSegment(segment: Segment): Promise<void> {
    const limit = Math.min(maxLimit, segment.runs.length + slack);
    const page = await load(segment.after, limit);
    const at = segments.indexOf(segment);
    if (at < 0) return;
    const following = segments[at + 1]?.runs[0]?.id;
    const end = following === undefined ? -1 : page.runs.findIndex(({ id }) => id === following);
    const isShort = page.runs.length < limit && page.next !== undefined;
    const found = end < 0 ? page.runs : page.runs.slice(0, end);
    const ids = new Set(found.map(({ id }) => id));
    const rest = isShort && end < 0 ? segment.runs.filter(({ id }) => !ids.has(id)) : [];
    if (following === undefined && rest.length === 0) next = page.next;
    set(segments.with(at, { ...segment, runs: [...found, ...rest] }));
  }

  return {
    get runs() {
      return flat;
    },
    get hasMore() {
      return !isStarted || next !== undefined;
    },
    async more() {
      // The server examines a limited number of runs for a page: one without matches may have a successor.
      for (let isFound = false; !isFound && (!isStarted || next !== undefined); ) {
        const after = next;
        const page = await load(after, isStarted ? pageSize : headSize);
        if (isStarted && after !== next) return;
        isStarted = true;
        next = page.next;
        isFound = page.runs.length > 0;
        set([...segments, { after, runs: page.runs }]);
      }
    },
    async refresh(first, last) {
      if (!(await refreshHead())) return false;
      const seen = new Set(flat.slice(first, last + 1).map(({ id }) => id));
      for (const segment of segments.slice(1))
        if (segment.runs.some(({ id }) => seen.has(id))) await refreshSegment(segment);
      return true;
    },
  };
}

/** Joins short segments, so that their number stays small. */
function joined(segments: readonly Segment[]): readonly Segment[] {
  const result: Segment[] = [];
  for (const segment of segments) {
    const previous = result.at(-1);
    const isShort = result.length > 1 && previous !== undefined;
    if (isShort && previous.runs.length + segment.runs.length <= pageSize)
      result[result.length - 1] = { after: previous.after, runs: [...previous.runs, ...segment.runs] };
    else result.push(segment);
  }
  return result;
}
