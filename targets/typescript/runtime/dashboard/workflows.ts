import { sendEvent, startRun } from "./actions.ts";
import type { RequestError } from "./api.ts";
import type { App, View } from "./app.ts";
import { fill, h } from "./dom.ts";
import { count } from "./format.ts";
import type { EventInfo, VersionRow, WorkflowInfo } from "./model.ts";
import { createPicturePanel } from "./picture-panel.ts";
import { poll } from "./poll.ts";

const refreshTime = 5000;

/** The workflows of the program, and one of them with its versions, events and picture. */
export function createWorkflowsView(app: App, id: string | undefined): View {
  const { api } = app;
  const list = h("nav", { class: "workflow-list", "aria-label": "Workflows" });
  const detail = h("div", { class: "column" });
  const picture = createPicturePanel(api);
  const element = h(
    "section",
    { class: "workflows" },
    h("h1", { class: "visually-hidden" }, "Workflows"),
    list,
    h("div", { class: "workflow-detail" }, detail, picture.element),
  );
  let shown = "";

  async function refresh(): Promise<void> {
    const [{ workflows }, { versions }] = await Promise.all([
      api.get<{ readonly workflows: readonly WorkflowInfo[] }>("/workflows"),
      api.get<{ readonly versions: readonly VersionRow[] }>("/versions"),
    ]);
    const state = JSON.stringify([workflows, versions]);
    if (state === shown) return;
    shown = state;
    const chosen = id ?? workflows[0]?.id;
    fill(list, ...workflows.map((each) => workflowLink(each, each.id === chosen)));
    const workflow = workflows.find((each) => each.id === chosen);
    const own = versions.filter((each) => each.workflow === chosen);
    if (!workflow && own.length === 0) return fill(detail, ...noWorkflow(chosen));
    fill(detail, ...workflowDetail(app, chosen!, workflow, own));
    if (workflow) await picture.show(workflow.id, workflow.version);
  }

  const failed = (error: RequestError): void => {
    if (error.status >= 400 && error.status < 500) fill(detail, h("h2", {}, error.title), h("p", {}, error.message));
  };
  const polling = poll(refreshTime, refresh, app.connection, failed);
  return { title: id === undefined ? "Workflows" : `Workflow ${id}`, element, close: polling.stop };
}

const workflowLink = ({ id, name }: WorkflowInfo, isChosen: boolean): HTMLElement =>
  h(
    "a",
    { href: `#/workflows/${encodeURIComponent(id)}`, "aria-current": isChosen ? "page" : undefined },
    h("span", { class: "workflow-name" }, name),
    name !== id && h("span", { class: "muted" }, id),
  );

const noWorkflow = (id: string | undefined) => [
  h("h2", {}, id === undefined ? "No workflows" : "No such workflow"),
  h("p", {}, id === undefined ? "This token may not use any workflow." : "The program has no workflow with this ID."),
];

function workflowDetail(
  app: App,
  id: string,
  workflow: WorkflowInfo | undefined,
  versions: readonly VersionRow[],
): readonly Node[] {
  const { may } = app.access;
  const receives = workflow?.events.some(({ direction }) => direction === "receives") ?? false;
  const mayStart = workflow !== undefined && may.includes("start");
  return [
    h(
      "header",
      { class: "run-head" },
      h("h2", {}, workflow?.name ?? id),
      h(
        "div",
        { class: "actions" },
        h("a", { class: "button", href: `#/runs?workflow=${encodeURIComponent(id)}` }, "Show runs"),
        ...(receives && may.includes("events") ? [button("Send event", () => send(app, workflow!))] : []),
        ...(mayStart ? [button("Start run", () => startRun(app, workflow), "primary")] : []),
      ),
    ),
    versionTable(versions),
    ...(workflow && workflow.events.length > 0 ? [eventTable(workflow.events)] : []),
  ];
}

const send = (app: App, workflow: WorkflowInfo): void => sendEvent(app, workflow.events, () => undefined);

const button = (text: string, act: () => void, style = ""): HTMLElement =>
  h("button", { type: "button", class: style, onclick: act }, text);

const codes: { readonly [code in VersionRow["code"]]: string } = {
  new: "New runs use it",
  previous: "Kept for its runs",
  missing: "Missing: its runs are stranded",
};

const versionTable = (versions: readonly VersionRow[]): HTMLElement =>
  table(
    "Versions",
    ["Version", "Code", "Active runs"],
    versions.map(({ version, code, runs }) => [h("code", {}, version), codes[code], count(runs)]),
  );

const eventTable = (events: readonly EventInfo[]): HTMLElement =>
  table(
    "Events",
    ["Event", "Type", "Source", "Direction"],
    events.map(({ name, type, source, direction }) => [
      h("strong", {}, name),
      h("code", {}, type),
      source ?? "any",
      direction === "receives" ? "Received" : "Emitted",
    ]),
  );

const table = (title: string, columns: readonly string[], rows: readonly (readonly (Node | string)[])[]): HTMLElement =>
  h(
    "section",
    { class: "panel" },
    h("h3", {}, title),
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...columns.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...rows.map((cells) => h("tr", {}, ...cells.map((cell) => h("td", {}, cell))))),
    ),
  );
