import { fill, h, icon, setText } from "./dom.ts";
import { absolute, bytes, duration, setTime, time } from "./format.ts";
import { copyButton, jsonView } from "./json-view.ts";
import type { PendingStep, RunError, StepRecord } from "./model.ts";
import type { TimelineRow } from "./timeline-rows.ts";

/** The steps of a run. */
export interface Timeline {
  readonly element: HTMLElement;
  /** Shows rows on a scale from `from` to `until` (milliseconds since 1970). Open rows stay open. */
  update(rows: readonly TimelineRow[], from: number, until: number): void;
}

/** What rows can do. */
export interface TimelineActions {
  /** Loads a result that is too large for the list. */
  load(step: StepRecord): Promise<StepRecord | undefined>;
  /** Retries the run from a step; undefined if that is not allowed. */
  retry?: ((key: string) => void) | undefined;
}

/** Creates the timeline. */
export function createTimeline(actions: () => TimelineActions): Timeline {
  const list = h("ol", { class: "timeline", "aria-label": "Steps" });
  const known = new Map<string, Row>();
  return {
    element: list,
    update(rows, from, until) {
      const wanted = new Set<string>();
      let place: Element | null = list.firstElementChild;
      for (const row of rows) {
        const id = row.attempts[0]?.cursor ?? row.timers[0]?.cursor ?? `pending ${row.key}`;
        wanted.add(id);
        let element = known.get(id);
        if (!element) {
          element = createRow(actions);
          known.set(id, element);
        }
        element.update(row, from, until);
        if (element.element === place) place = place.nextElementSibling;
        else list.insertBefore(element.element, place);
      }
      for (const [id, { element }] of known)
        if (!wanted.has(id)) {
          element.remove();
          known.delete(id);
        }
    },
  };
}

interface Row {
  readonly element: HTMLElement;
  update(row: TimelineRow, from: number, until: number): void;
}

function createRow(actions: () => TimelineActions): Row {
  const mark = h("span", { class: "mark" });
  const [path, name, note] = [h("span", { class: "path" }), h("span", { class: "name" }), h("span", { class: "note" })];
  const bar = h("span", { class: "bar" });
  const took = h("span", { class: "took" });
  const at = time("1970-01-01T00:00:00Z");
  const summary = h(
    "summary",
    {},
    mark,
    h("span", { class: "title" }, path, name, note),
    h("span", { class: "track", "aria-hidden": "true" }, bar),
    took,
    at,
  );
  const body = h("div", { class: "step-body" });
  const details = h("details", { ontoggle: () => details.open && showBody() }, summary, body);
  const element = h("li", {}, details);
  let shown: TimelineRow;
  let bodyOf = "";

  function showBody(): void {
    const state = JSON.stringify([shown.attempts.map(({ cursor }) => cursor), shown.pending, shown.timers.length]);
    if (state === bodyOf) return;
    bodyOf = state;
    fill(body, ...bodyFor(shown, actions()));
  }

  return {
    element,
    update(row, from, until) {
      shown = row;
      const state = stateOf(row);
      if (element.dataset["state"] !== state) {
        element.dataset["state"] = state;
        element.className = state;
        fill(mark, icon(icons[state]), h("span", { class: "visually-hidden" }, state));
      }
      const { path: segments } = row.parsed;
      setText(path, segments.slice(0, -1).map(segmentText).join(" / "));
      setText(name, segments.at(-1)!.name);
      setText(note, noteOf(row));
      const [began, ended] = spanOf(row, until);
      setText(took, ended - began > 0 ? duration(ended - began) : "");
      setTime(at, new Date(ended).toISOString());
      const length = Math.max(1, until - from);
      bar.style.left = `${percent((began - from) / length)}%`;
      bar.style.width = `${percent((ended - began) / length)}%`;
      if (details.open) showBody();
    },
  };
}

type RowState = "done" | "failed" | "waiting" | "running" | "retried";

const icons = {
  done: "succeeded",
  failed: "failed",
  waiting: "waiting",
  running: "running",
  retried: "succeeded",
} as const satisfies { readonly [state in RowState]: string };

function stateOf({ attempts, pending }: TimelineRow): RowState {
  if (pending) return isWaiting(pending) ? "waiting" : "running";
  const last = attempts.at(-1);
  if (last?.status === "failed") return "failed";
  return attempts.length > 1 ? "retried" : "done";
}

const isWaiting = ({ events, until, isTask, activity }: PendingStep): boolean =>
  events !== undefined || until !== undefined || isTask === true || activity !== undefined;

function noteOf({ parsed, attempts, pending, timers }: TimelineRow): string {
  const { count } = parsed.path.at(-1)!;
  const [last] = attempts.slice(-1);
  const calls = last?.attempt ?? attempts.length;
  return [
    ...(count > 1 && (last?.attempt ?? 1) === 1 ? [`#${count}`] : []),
    ...(calls > 1 ? [`${calls} attempts`] : []),
    ...(pending?.events ? [`waits for ${pending.events.join(", ")}`] : []),
    ...(pending?.isTask ? ["waits for the answer of its task"] : []),
    ...(pending?.activity !== undefined ? [`waits for a worker of ${pending.activity}`] : []),
    ...(pending?.until !== undefined && !pending.events ? [`until ${absolute(pending.until)}`] : []),
    ...(timers.some(({ key }) => key.includes("#timeout")) ? ["timed out"] : []),
    ...(attempts.length === 0 && timers.some(({ key }) => key.includes("#retry")) ? ["delays before retries"] : []),
    ...(attempts[0]?.status === "fired" ? ["timer"] : []),
  ].join(" · ");
}

const segmentText = ({ name, count, part }: TimelineRow["parsed"]["path"][number]): string =>
  `${name}${count > 1 ? ` #${count}` : ""}${part === undefined || part === "" ? "" : ` › ${part}`}`;

function spanOf({ attempts, timers, pending }: TimelineRow, now: number): [began: number, ended: number] {
  const all = [...attempts, ...timers];
  const starts = [...all.map(({ began, at }) => began ?? at), ...(pending?.began ? [pending.began] : [])];
  const began = Math.min(...starts.map(Date.parse));
  const ended = pending ? now : Math.max(...all.map(({ at }) => Date.parse(at)));
  return [Number.isFinite(began) ? began : now, ended];
}

const percent = (part: number): number => Math.round(Math.min(1, Math.max(0, part)) * 10_000) / 100;

function bodyFor({ key, attempts, pending }: TimelineRow, actions: TimelineActions) {
  const isAlone = attempts.length === 1;
  const retry = actions.retry;
  return [
    ...attempts.map((step, i) => attemptView(step, isAlone ? undefined : (step.attempt ?? i + 1), actions)),
    pending?.until !== undefined && h("p", { class: "muted" }, "Until ", time(pending.until)),
    h(
      "div",
      { class: "step-foot" },
      h("code", { class: "key" }, key),
      copyButton(key, "Copy key"),
      retry && attempts.length > 0 && h("button", { type: "button", onclick: () => retry(key) }, "Retry from here"),
    ),
  ];
}

function attemptView(step: StepRecord, attempt: number | undefined, actions: TimelineActions): HTMLElement {
  const { began, at, error, result, size } = step;
  const span = began === undefined ? "" : duration(Date.parse(at) - Date.parse(began));
  const content = h("div", {});
  if (error) content.append(errorView(error));
  else if (result !== undefined) content.append(jsonView(result));
  else if (size !== undefined)
    content.append(h("button", { type: "button", class: "link", onclick: () => void load() }, `Show ${bytes(size)}`));
  else content.append(h("p", { class: "muted" }, step.status === "fired" ? "The timer has fired." : "No result"));
  async function load(): Promise<void> {
    const loaded = await actions.load(step);
    if (loaded?.result !== undefined) fill(content, jsonView(loaded.result));
    else if (loaded?.error) fill(content, errorView(loaded.error));
    else fill(content, h("p", { class: "muted" }, "It is too large to be shown."));
  }
  if (attempt === undefined) return content;
  const heading = h("h4", {}, `Attempt ${attempt}`, h("span", { class: "muted" }, span === "" ? "" : ` · ${span}`));
  return h("section", { class: "attempt" }, heading, content);
}

/** An error with its data. */
export const errorView = ({ name, message, data, stack }: RunError): HTMLElement =>
  h(
    "div",
    { class: "error-view" },
    h("p", {}, h("strong", {}, name), h("span", { class: "error-message" }, message)),
    stack !== undefined && h("pre", { class: "stack" }, stack),
    data !== undefined && data !== null && jsonView(data),
  );
