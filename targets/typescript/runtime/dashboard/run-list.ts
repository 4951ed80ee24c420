import { fill, h, setText } from "./dom.ts";
import { setTime, time, updateTimes } from "./format.ts";
import type { RunRow } from "./model.ts";
import { setStatus, statusBadge } from "./status.ts";

/** A list of runs. Only visible rows are elements, so that it may be long. */
export interface RunList {
  readonly element: HTMLElement;
  /** Shows these runs. Rows keep their place in the window when others come above them. */
  update(runs: readonly RunRow[], state: ListState): void;
  /** The indexes of the first and last visible rows. */
  visible(): readonly [first: number, last: number];
  toTop(): void;
  close(): void;
}

/** What follows the rows. */
export type ListState = "loading" | "more" | "end";

const margin = 8;

/** Creates the list. `more` is called when the end comes into sight. */
export function createRunList(more: () => void, scrolled: () => void): RunList {
  const rows = new Map<string, Row>();
  const body = h("div", { role: "rowgroup", class: "rows" });
  const foot = h("p", { class: "foot", role: "status" });
  const head = h(
    "div",
    { role: "row", class: "row head" },
    ...["Status", "Run", "Workflow", "Created", "Updated", "Error"].map((name) =>
      h("div", { role: "columnheader", class: `cell cell-${name.toLowerCase()}` }, name),
    ),
  );
  const table = h("div", { role: "table", "aria-label": "Runs", class: "table" }, head, body);
  const scroller = h("div", { class: "scroller", tabindex: -1 }, table, foot);
  let runs: readonly RunRow[] = [];
  let height = 40;

  const range = (): [number, number] => {
    const top = Math.max(0, scroller.scrollTop - body.offsetTop);
    const first = Math.floor(top / height);
    return [first, Math.min(runs.length - 1, Math.ceil((top + scroller.clientHeight) / height))];
  };

  function render(): void {
    const [first, last] = range();
    const [from, to] = [Math.max(0, first - margin), Math.min(runs.length - 1, last + margin)];
    const wanted = new Set<string>();
    for (let i = from; i <= to; i++) {
      const run = runs[i]!;
      wanted.add(run.id);
      let row = rows.get(run.id);
      if (!row) {
        row = createRow();
        rows.set(run.id, row);
        body.append(row.element);
      }
      row.update(run, i, height);
    }
    for (const [id, row] of rows) {
      if (wanted.has(id) || row.element.contains(document.activeElement)) continue;
      row.element.remove();
      rows.delete(id);
    }
    if (runs.length > 0 && last + 60 >= runs.length) more();
  }

  function measure(): void {
    const found = Number.parseFloat(getComputedStyle(scroller).getPropertyValue("--row"));
    if (found > 0) height = found;
    body.style.height = `${runs.length * height}px`;
    render();
  }

  function move(event: Event): void {
    if (!(event instanceof KeyboardEvent) || event.ctrlKey || event.metaKey || event.altKey) return;
    const focused = [...rows].find(([, row]) => row.element.contains(document.activeElement))?.[0];
    const at = runs.findIndex(({ id }) => id === focused);
    const page = Math.max(1, Math.floor(scroller.clientHeight / height) - 1);
    const target = targetOf(event.key, at, page, runs.length);
    if (target === undefined || at < 0) return;
    event.preventDefault();
    reveal(target);
    rows.get(runs[target]!.id)?.focus();
  }

  function reveal(index: number): void {
    const [top, header] = [body.offsetTop + index * height, head.offsetHeight];
    if (top - header < scroller.scrollTop) scroller.scrollTop = top - header;
    else if (top + height > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTop = top + height - scroller.clientHeight;
    render();
  }

  scroller.addEventListener("scroll", () => {
    render();
    scrolled();
  });
  scroller.addEventListener("keydown", move);
  const observer = new ResizeObserver(measure);
  observer.observe(scroller);
  const clock = setInterval(() => updateTimes(body), 1000);

  return {
    element: scroller,
    update(next, state) {
      const isAtTop = scroller.scrollTop < height;
      const anchor = runs[range()[0]]?.id;
      const before = range()[0];
      runs = next;
      table.setAttribute("aria-rowcount", String(state === "end" ? runs.length + 1 : -1));
      body.style.height = `${runs.length * height}px`;
      const after = isAtTop || anchor === undefined ? before : runs.findIndex(({ id }) => id === anchor);
      if (after > before) scroller.scrollTop += (after - before) * height;
      const text = state === "loading" ? "Loading…" : state === "more" ? "" : runs.length > 0 ? "No more runs" : "";
      if (foot.textContent !== text) fill(foot, text);
      render();
    },
    visible: range,
    toTop() {
      scroller.scrollTop = 0;
    },
    close() {
      observer.disconnect();
      clearInterval(clock);
    },
  };
}

function targetOf(key: string, at: number, page: number, length: number): number | undefined {
  const steps: { readonly [key: string]: number } = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
  if (key === "Home") return 0;
  if (key === "End") return length - 1;
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return step === undefined ? undefined : Math.max(0, Math.min(length - 1, at + step));
}

interface Row {
  readonly element: HTMLElement;
  update(run: RunRow, index: number, height: number): void;
  focus(): void;
}

function createRow(): Row {
  const status = statusBadge("running");
  const link = h("a", { class: "run-link" });
  const [workflow, error] = [h("span"), h("span")];
  const [created, updated] = [time("1970-01-01T00:00:00Z"), time("1970-01-01T00:00:00Z")];
  const cell = (name: string, content: Node) => h("div", { role: "cell", class: `cell cell-${name}` }, content);
  const element = h(
    "div",
    { role: "row", class: "row" },
    ...[cell("status", status), cell("run", link), cell("workflow", workflow), cell("created", created)],
    ...[cell("updated", updated), cell("error", error)],
  );
  return {
    element,
    update(run, index, height) {
      element.style.transform = `translateY(${index * height}px)`;
      element.setAttribute("aria-rowindex", String(index + 2));
      setStatus(status, run.status);
      setText(link, run.id);
      const address = `#/runs/${encodeURIComponent(run.id.toWellFormed())}`;
      if (link.getAttribute("href") !== address) link.setAttribute("href", address);
      setText(workflow, run.workflow);
      setTime(created, run.created);
      setTime(updated, run.updated);
      const why = run.error ? `${run.error.name}: ${run.error.message}` : (run.reason ?? "");
      setText(error, why.slice(0, 200));
    },
    focus: () => link.focus({ preventScroll: true }),
  };
}
