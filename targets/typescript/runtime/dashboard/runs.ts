import { RequestError, searchOf } from "./api.ts";
import type { App, View } from "./app.ts";
import { fill, h } from "./dom.ts";
import { type Counts, createFilterBar, type Filters, queryOf } from "./filters.ts";
import type { WorkflowInfo } from "./model.ts";
import { type Polling, poll } from "./poll.ts";
import { createRunList } from "./run-list.ts";
import { createRunPages } from "./run-pages.ts";

const refreshTime = 2000;
/** The counts are queried with every n-th refresh. */
const countEvery = 2;

/** The list of runs with its filters. */
export function createRunsView(app: App, initial: Filters): View {
  let filters = initial;
  app.list.address = `#/runs${searchOf(Object.fromEntries(initial))}`;
  let pages = createRunPages(app.api, queryOf(filters));
  let polling: Polling | undefined;
  let loading: Promise<void> | undefined;
  let refreshes = 0;

  const bar = createFilterBar(initial, filter, (id) => {
    location.hash = `#/runs/${encodeURIComponent(id.toWellFormed())}`;
  });
  const list = createRunList(() => void more(), hideNewer);
  const state = h("div", { class: "state", role: "status" });
  const newer = h("button", { class: "newer", type: "button", hidden: true, onclick: restart }, "Show newer runs");
  const element = h(
    "section",
    { class: "runs", "aria-label": "Runs" },
    h("h1", { class: "visually-hidden" }, "Runs"),
    bar.element,
    h("div", { class: "list" }, newer, list.element, state),
  );

  function show(): void {
    const status = loading ? "loading" : pages.hasMore ? "more" : "end";
    list.update(pages.runs, status);
    list.element.hidden = pages.runs.length === 0 && !pages.hasMore;
    const isEmpty = pages.runs.length === 0 && !pages.hasMore;
    if (isEmpty) fill(state, ...(filters.size > 0 ? noMatch(bar.clear) : noRuns));
    else fill(state);
  }

  async function more(): Promise<void> {
    if (loading || !pages.hasMore) return;
    const current = pages;
    loading = current.more().finally(() => {
      loading = undefined;
    });
    await loading.catch(failed);
    if (current === pages) show();
  }

  async function refresh(): Promise<void> {
    const current = pages;
    const counting = refreshes++ % countEvery === 0 ? count() : undefined;
    if (current.runs.length === 0 && current.hasMore) await current.more();
    else if (!(await current.refresh(...list.visible())) && current === pages) {
      if (list.visible()[0] === 0) restart();
      else newer.hidden = false;
    }
    await counting;
    if (current === pages) show();
  }

  async function count(): Promise<void> {
    const { counts } = await app.api.get<{ readonly counts: Counts }>("/counts", {
      workflow: filters.get("workflow") ?? undefined,
    });
    bar.counts(counts);
  }

  function failed(error: unknown): void {
    if (!(error instanceof RequestError)) throw error;
    if (error.status !== 0 && error.status !== 401 && error.status < 500) {
      list.element.hidden = true;
      fill(state, h("h2", {}, error.title), h("p", {}, error.message));
    }
  }

  function hideNewer(): void {
    if (!newer.hidden && list.visible()[0] === 0) restart();
  }

  function restart(): void {
    newer.hidden = true;
    pages = createRunPages(app.api, queryOf(filters));
    list.toTop();
    void polling?.now().then(() => polling?.now());
  }

  function filter(next: Filters): void {
    filters = next;
    refreshes = 0;
    app.list.address = `#/runs${searchOf(Object.fromEntries(next))}`;
    history.replaceState(undefined, "", app.list.address);
    restart();
  }

  const keys = (event: KeyboardEvent): void => {
    const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select, dialog *");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    bar.focusSearch();
  };
  document.addEventListener("keydown", keys);
  polling = poll(refreshTime, refresh, app.connection, failed);
  void app.api
    .get<{ readonly workflows: readonly WorkflowInfo[] }>("/workflows")
    .then(({ workflows }) => bar.workflows(workflows))
    .catch(failed);
  return {
    title: "Runs",
    element,
    close() {
      polling?.stop();
      list.close();
      document.removeEventListener("keydown", keys);
    },
  };
}

const noRuns = [
  h("h2", {}, "No runs yet"),
  h("p", {}, "Runs appear here as soon as a request or an event starts them."),
  h("p", {}, h("a", { href: "#/workflows" }, "Start a run")),
];

const noMatch = (clear: () => void) => [
  h("h2", {}, "Nothing found"),
  h("p", {}, "No run matches these filters."),
  h("button", { type: "button", onclick: clear }, "Clear filters"),
];
