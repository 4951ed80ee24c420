import type { RunStatus } from "../engine.ts";
import type { Query } from "./api.ts";
import { h, icon, setText } from "./dom.ts";
import { count } from "./format.ts";
import { statuses, type WorkflowInfo } from "./model.ts";
import { statusNames } from "./status.ts";

/** The filters of the list of runs, as in the address of the page. */
export type Filters = URLSearchParams;

/** The number of runs by status. */
export type Counts = { readonly [status in RunStatus]?: number };

/** The controls above the list. */
export interface FilterBar {
  readonly element: HTMLElement;
  counts(counts: Counts): void;
  workflows(workflows: readonly Pick<WorkflowInfo, "id">[]): void;
  clear(): void;
  focusSearch(): void;
}

const periods: readonly (readonly [value: string, name: string, hours: number])[] = [
  ["1h", "Last hour", 1],
  ["24h", "Last 24 hours", 24],
  ["7d", "Last 7 days", 168],
  ["30d", "Last 30 days", 720],
];

/** The query of `GET /runs` for filters. */
export function queryOf(filters: Filters, now: number = Date.now()): Query {
  const hours = periods.find(([value]) => value === filters.get("period"))?.[2];
  const instant = (name: string): string | undefined => {
    const time = Date.parse(filters.get(name) ?? "");
    return Number.isNaN(time) ? undefined : new Date(time).toISOString();
  };
  const status = filters.get("status");
  return {
    workflow: filters.get("workflow") ?? undefined,
    status: statuses.find((each) => each === status),
    value: filters.get("value") ?? undefined,
    error: filters.get("error") ?? undefined,
    from: hours === undefined ? instant("from") : new Date(now - hours * 3_600_000).toISOString(),
    until: hours === undefined ? instant("until") : undefined,
  };
}

/** Creates the controls. `changed` is called with the new filters, `open` with the id of a run. */
export function createFilterBar(
  initial: Filters,
  changed: (filters: Filters) => void,
  open: (id: string) => void,
): FilterBar {
  let filters = new URLSearchParams(initial);
  const set = (changes: { readonly [name: string]: string }) => {
    filters = new URLSearchParams(filters);
    for (const [name, value] of Object.entries(changes))
      if (value === "") filters.delete(name);
      else filters.set(name, value);
    show();
    changed(filters);
  };

  const chips = ["" as const, ...statuses].map((status) => {
    const number = h("span", { class: "count" });
    const button = h(
      "button",
      { type: "button", class: `chip ${status}`, onclick: () => set({ status }) },
      ...(status === "" ? [] : [icon(status)]),
      h("span", {}, status === "" ? "All" : statusNames[status]),
      number,
    );
    return { status, button, number };
  });
  const workflow = h("select", {
    "aria-label": "Workflow",
    onchange: () => set({ workflow: workflow.value }),
  });
  const period = h(
    "select",
    { "aria-label": "Time of creation", onchange: () => set(periodChanges(period.value)) },
    option("", "Any time"),
    ...periods.map(([value, name]) => option(value, name)),
    option("custom", "Between …"),
  );
  const bound = (name: "from" | "until") => {
    const input = h("input", {
      type: "datetime-local",
      "aria-label": name === "from" ? "Created from" : "Created until",
      onchange: () => set({ [name]: input.value === "" ? "" : new Date(input.value).toISOString() }),
    });
    return input;
  };
  const [from, until] = [bound("from"), bound("until")];
  const between = h("span", { class: "between" }, from, h("span", {}, "to"), until);
  const field = h(
    "select",
    { "aria-label": "Search in", onchange: () => input.focus() },
    option("id", "Run ID"),
    option("value", "Correlation value"),
    option("error", "Error"),
  );
  const input = h("input", {
    type: "search",
    "aria-label": "Search text",
    placeholder: "Search (press /)",
    autocomplete: "off",
    spellcheck: "false",
    onsearch: search,
  });
  const form = h("form", { class: "search", role: "search", onsubmit: search }, icon("search"), field, input);

  function search(event: Event): void {
    event.preventDefault();
    const text = input.value.trim();
    if (field.value === "id" && text !== "") {
      open(text);
      return;
    }
    const cleared = { value: "", error: "" };
    const next = field.value === "id" ? cleared : { ...cleared, [field.value]: text };
    const isSame = Object.entries(next).every(([name, value]) => (filters.get(name) ?? "") === value);
    if (!isSame) set(next);
  }

  function show(): void {
    for (const { status, button } of chips)
      button.setAttribute("aria-pressed", String((filters.get("status") ?? "") === status));
    workflow.value = filters.get("workflow") ?? "";
    const isCustom = filters.has("from") || filters.has("until") || filters.get("period") === "custom";
    period.value = isCustom ? "custom" : (filters.get("period") ?? "");
    between.hidden = !isCustom;
    from.value = local(filters.get("from"));
    until.value = local(filters.get("until"));
    const name = ["value", "error"].find((each) => filters.has(each));
    if (name !== undefined) field.value = name;
    if (document.activeElement !== input) input.value = name === undefined ? "" : filters.get(name)!;
  }

  function listWorkflows(ids: readonly string[]): void {
    const chosen = filters.get("workflow");
    const all = chosen === null || ids.includes(chosen) ? ids : [chosen, ...ids];
    workflow.replaceChildren(option("", "All workflows"), ...all.map((id) => option(id, id)));
    workflow.value = chosen ?? "";
  }

  listWorkflows([]);
  show();
  return {
    element: h(
      "div",
      { class: "filters" },
      h("div", { class: "chips", role: "group", "aria-label": "Status" }, ...chips.map(({ button }) => button)),
      h("div", { class: "controls" }, form, workflow, period, between),
    ),
    counts(counts) {
      const total = statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
      for (const { status, number } of chips) setText(number, count(status === "" ? total : (counts[status] ?? 0)));
    },
    workflows: (list) => listWorkflows(list.map(({ id }) => id)),
    focusSearch: () => input.focus(),
    clear() {
      filters = new URLSearchParams();
      input.value = "";
      show();
      changed(filters);
    },
  };
}

const periodChanges = (value: string): { readonly [name: string]: string } =>
  value === "custom" ? { period: value } : { period: value, from: "", until: "" };

const option = (value: string, text: string): HTMLOptionElement => h("option", { value }, text);

/** An instant as the value of a `datetime-local` input, in the time zone of the reader. */
function local(instant: string | null): string {
  const time = Date.parse(instant ?? "");
  if (Number.isNaN(time)) return "";
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
