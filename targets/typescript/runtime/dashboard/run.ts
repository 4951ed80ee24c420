import { cancelRun, retryRun, sendEvent } from "./actions.ts";
import type { RequestError } from "./api.ts";
import type { App, View } from "./app.ts";
import { fill, h, setText } from "./dom.ts";
import { duration, setTime, time, updateTimes } from "./format.ts";
import { copyButton, jsonView } from "./json-view.ts";
import { isActive, type RunDetail, type Unsent, type WorkflowInfo } from "./model.ts";
import { createPicturePanel } from "./picture-panel.ts";
import { poll } from "./poll.ts";
import { createRunSteps } from "./run-steps.ts";
import { setStatus, statusBadge } from "./status.ts";
import { parseStepKey } from "./step-key.ts";
import { createTimeline, errorView } from "./timeline.ts";
import { timelineRows } from "./timeline-rows.ts";

const refreshTime = 2000;

/** One run: its state, its steps, and what can be done with it. */
export function createRunView(app: App, id: string): View {
  const { api, access } = app;
  const path = `/runs/${encodeURIComponent(id.toWellFormed())}`;
  let run: RunDetail | undefined;
  let steps = createRunSteps(api, path);
  const badge = statusBadge("running");
  const facts = createFacts();
  const alert = h("div", { class: "alerts" });
  const [input, output, unsent] = [panel("Input"), panel("Output"), panel("Events not sent")];
  const picture = createPicturePanel(api);
  const timeline = createTimeline(() => ({
    load: steps.load,
    retry: run?.status === "failed" && access.may.includes("manage") ? retryFrom : undefined,
  }));
  const foot = h("div", { class: "foot", role: "status" });
  const stepsPanel = h("section", { class: "panel steps" }, h("h2", {}, "Steps"), timeline.element, foot);
  const button = (text: string, act: () => void, style = "") =>
    h("button", { type: "button", class: style, hidden: true, onclick: act }, text);
  const buttons = {
    retry: button("Retry", () => retryRun(app, id, undefined, restart), "primary"),
    send: button("Send event", () => void send()),
    cancel: button("Cancel run", () => cancelRun(app, id, restart), "danger"),
  };
  const main = h(
    "div",
    { class: "run-grid" },
    h("div", { class: "column" }, alert, stepsPanel),
    h(
      "aside",
      { class: "column", "aria-label": "Data" },
      picture.element,
      input.element,
      output.element,
      unsent.element,
    ),
  );
  const head = h(
    "header",
    { class: "run-head" },
    h("p", { class: "crumbs" }, h("a", { href: app.list.address }, "Runs"), " / "),
    h("h1", {}, id),
    copyButton(id),
    badge,
    h("div", { class: "actions" }, ...Object.values(buttons)),
  );
  const element = h("article", { class: "run", "aria-label": `Run ${id}` }, head, facts.element, main);

  async function refresh(): Promise<void> {
    const wasEnded = run !== undefined && !isActive(run.status);
    run = await api.get<RunDetail>(path);
    if (wasEnded && isActive(run.status)) steps = createRunSteps(api, path);
    const current = steps;
    if (isActive(run.status) || current.hasMore || current.pending.length > 0 || !wasEnded)
      if (current.steps.length === 0 || !current.hasMore) await current.more();
    show(run);
  }

  function show(run: RunDetail): void {
    setStatus(badge, run.status);
    facts.update(run);
    const isOpen = isActive(run.status) || run.status === "stranded";
    const hasRefused = run.unsent?.some(({ status }) => status === "refused") ?? false;
    const mayManage = access.may.includes("manage");
    buttons.cancel.hidden = !(mayManage && isOpen);
    buttons.retry.hidden = !(mayManage && (run.status === "failed" || run.status === "stranded" || hasRefused));
    buttons.send.hidden = !(access.may.includes("events") && isActive(run.status));
    showAlert(run);
    input.show(JSON.stringify(run.input), () => [jsonView(run.input ?? null)]);
    output.show(JSON.stringify(run.output), () => (run.output === undefined ? [] : [jsonView(run.output)]));
    unsent.show(JSON.stringify(run.unsent), () => (run.unsent?.length ? [unsentTable(run.unsent)] : []));
    showSteps(run);
  }

  function showSteps(run: RunDetail): void {
    const until = isActive(run.status) ? Date.now() : Date.parse(run.updated);
    timeline.update(timelineRows(steps.steps, steps.pending), Date.parse(run.created), until);
    const isEmpty = steps.steps.length + steps.pending.length === 0;
    if (steps.hasMore) fill(foot, moreButton);
    else fill(foot, isEmpty ? "Nothing is recorded of this run." : "");
    picture.update(run, steps);
  }

  let alertOf = "";
  function showAlert({ error, reason, status, waitingFor }: RunDetail): void {
    const waits = isActive(status) ? (waitingFor?.events ?? []) : [];
    const until = isActive(status) ? waitingFor?.until : undefined;
    const { tasks = [], activities = [] } = (isActive(status) && waitingFor) || {};
    const state = JSON.stringify([error, reason, waits, tasks, activities, until]);
    if (state === alertOf) return;
    alertOf = state;
    const awaited = [
      ...(waits.length > 0 ? [[waits.length === 1 ? "the event " : "one of the events ", ...events(waits)]] : []),
      ...(tasks.length > 0 ? [["the answer of ", ...events(tasks.map(taskName))]] : []),
      ...(activities.length > 0 ? [["a worker of ", ...events(activities)]] : []),
    ];
    const waiting = [
      ...awaited.flatMap((each, i) => (i === 0 ? each : [", ", ...each])),
      ...(until === undefined ? [] : [awaited.length > 0 ? ", until " : "the time ", time(until)]),
    ];
    fill(
      alert,
      error && h("section", { class: "alert failed" }, h("h2", {}, "Error"), errorView(error)),
      reason !== undefined &&
        h("section", { class: "alert stranded" }, h("h2", {}, "Why it is stranded"), h("p", {}, reason)),
      waiting.length > 0 &&
        h("section", { class: "alert waiting" }, h("h2", {}, "Waiting for"), h("p", {}, ...waiting)),
    );
  }

  const moreButton = h("button", { type: "button", onclick: () => void more() }, "Show more steps");
  async function more(): Promise<void> {
    moreButton.disabled = true;
    await steps.more().finally(() => {
      moreButton.disabled = false;
    });
    if (run) showSteps(run);
  }

  function retryFrom(key: string): void {
    retryRun(app, id, key, restart);
  }

  async function send(): Promise<void> {
    const { workflows } = await api.get<{ readonly workflows: readonly WorkflowInfo[] }>("/workflows");
    const awaited = new Set(run?.waitingFor?.events);
    const known = workflows.find((each) => each.id === run?.workflow)?.events ?? [];
    sendEvent(
      app,
      [...known].sort((a, b) => Number(awaited.has(b.name)) - Number(awaited.has(a.name))),
      restart,
    );
  }

  function restart(): void {
    steps = createRunSteps(api, path);
    void polling.now().then(() => polling.now());
  }

  function failed(error: RequestError): void {
    if (error.status !== 404) return;
    polling.stop();
    const card = [h("h1", {}, "No such run"), h("p", {}, "It may have been deleted, or the ID is another one.")];
    fill(
      element,
      h("div", { class: "card" }, ...card, h("p", {}, h("code", {}, id)), h("a", { href: "#/runs" }, "All runs")),
    );
  }

  const polling = poll(refreshTime, refresh, app.connection, failed);
  const clock = setInterval(() => {
    updateTimes(element);
    if (run && isActive(run.status)) showSteps(run);
    if (run) facts.update(run);
  }, 1000);
  const seen = new IntersectionObserver((entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting) && !moreButton.disabled) void more();
  });
  seen.observe(moreButton);
  return {
    title: `Run ${id}`,
    element,
    close() {
      polling.stop();
      seen.disconnect();
      clearInterval(clock);
    },
  };
}

/** A section with a title, which is absent while it has no content. */
function panel(title: string) {
  const body = h("div", {});
  const element = h("section", { class: "panel", hidden: true }, h("h2", {}, title), body);
  let shown: string | undefined;
  return {
    element,
    show(state: string | undefined, content: () => readonly Node[]) {
      if (state === undefined || state === shown) return;
      shown = state;
      const nodes = content();
      element.hidden = nodes.length === 0;
      fill(body, ...nodes);
    },
  };
}

function createFacts() {
  const link = h("a", {});
  const [version, took] = [h("code", {}), h("span", {})];
  const [created, updated] = [time("1970-01-01T00:00:00Z"), time("1970-01-01T00:00:00Z")];
  const fact = (name: string, value: Node) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  const correlation = h("code", {});
  const correlated = fact("Correlation value", correlation);
  const element = h(
    "dl",
    { class: "facts" },
    ...[fact("Workflow", link), fact("Version", version), fact("Started", created)],
    ...[fact("Updated", updated), fact("Duration", took), correlated],
  );
  return {
    element,
    update(run: RunDetail) {
      setText(link, run.workflow);
      link.setAttribute("href", `#/workflows/${encodeURIComponent(run.workflow)}`);
      setText(version, run.version);
      const { correlation: value } = run;
      correlated.hidden = value === undefined || value === null;
      setText(correlation, typeof value === "string" ? value : JSON.stringify(value ?? null));
      setTime(created, run.created);
      setTime(updated, run.updated);
      const end = isActive(run.status) ? Date.now() : Date.parse(run.updated);
      setText(took, duration(end - Date.parse(run.created)));
    },
  };
}

/** The name of the step with a key. */
const taskName = (key: string): string => parseStepKey(key).path.at(-1)!.name;

const events = (names: readonly string[]): readonly (Node | string)[] =>
  names.flatMap((name, i) => [i === 0 ? "" : ", ", h("code", {}, name)]);

const unsentTable = (unsent: readonly Unsent[]): HTMLElement =>
  h(
    "ul",
    { class: "unsent" },
    ...unsent.map(({ type, event, at, status, attempts, reason }) =>
      h(
        "li",
        { class: status },
        h("p", {}, h("strong", {}, type), " ", h("code", {}, event)),
        h(
          "p",
          { class: "muted" },
          status === "refused" ? "Rejected" : "Waiting",
          ` · ${attempts} attempts · `,
          time(at),
        ),
        reason !== undefined && h("p", { class: "error-message" }, reason),
      ),
    ),
  );
