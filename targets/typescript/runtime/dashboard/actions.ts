import type { App } from "./app.ts";
import { createJsonEditor, field, showDialog } from "./dialog.ts";
import { h } from "./dom.ts";
import type { EventInfo, RunRow, WorkflowInfo } from "./model.ts";

const pathOf = (id: string): string => `/runs/${encodeURIComponent(id.toWellFormed())}`;

/** Cancels a run after a confirmation. */
export function cancelRun(app: App, id: string, done: () => void): void {
  showDialog({
    title: "Cancel this run?",
    body: [h("p", {}, "Running calls are aborted. A cancelled run cannot be resumed."), runName(id)],
    action: "Cancel run",
    isDangerous: true,
    async submit() {
      await app.api.post(`${pathOf(id)}/cancel`);
      app.notify("The run is cancelled.");
      done();
    },
  });
}

/** Retries a run after a confirmation: from where it failed, or from a step. */
export function retryRun(app: App, id: string, from: string | undefined, done: () => void): void {
  const text =
    from === undefined
      ? "The run continues at the step that failed. Recorded steps are not repeated, and events that a sink has rejected are sent again."
      : "Everything that was recorded from this step on is deleted and repeated: functions are called again, with new keys.";
  showDialog({
    title: from === undefined ? "Retry this run?" : "Retry from this step?",
    body: [h("p", {}, text), runName(from ?? id)],
    action: "Retry",
    isDangerous: from !== undefined,
    async submit() {
      await app.api.post(`${pathOf(id)}/retry`, undefined, { from });
      app.notify("The run continues.");
      done();
    },
  });
}

/** Starts a run of a workflow with an input, and shows it. */
export function startRun(app: App, { id, name }: WorkflowInfo): void {
  const editor = createJsonEditor("Input", "{}");
  const key = h("input", { autocomplete: "off", spellcheck: "false", maxlength: 200 });
  showDialog({
    title: `Start ${name}`,
    body: [
      field("Input", editor.element, "A JSON value."),
      field("Run ID", key, "Optional. A request with the ID of an existing run returns that run."),
    ],
    action: "Start",
    async submit() {
      const input = editor.value();
      const path = `/workflows/${encodeURIComponent(id)}/runs`;
      const run = await app.api.post<RunRow>(path, input, { id: key.value.trim() });
      app.notify("The run has started.");
      location.hash = `#${pathOf(run.id)}`;
    },
  });
}

/** The result of `POST /events`. */
interface Delivery {
  readonly status: "accepted" | "duplicate";
  readonly started: readonly string[];
  readonly delivered: readonly string[];
}

/** Sends an event that workflows receive. */
export function sendEvent(app: App, events: readonly EventInfo[], done: () => void): void {
  const receivable = events.filter(({ direction }) => direction === "receives");
  const type = h("input", {
    required: true,
    list: "event-types",
    autocomplete: "off",
    value: receivable[0]?.type ?? "",
  });
  const types = h("datalist", { id: "event-types" }, ...receivable.map((each) => h("option", { value: each.type })));
  const source = h("input", { required: true, autocomplete: "off", value: receivable[0]?.source ?? "/dashboard" });
  const id = h("input", { required: true, autocomplete: "off", value: newId() });
  const subject = h("input", { autocomplete: "off", value: receivable[0]?.subject ?? "" });
  const attributes = createJsonEditor("Further attributes", "{}");
  attributes.element.rows = 3;
  const data = createJsonEditor("Data", "{}");
  data.element.rows = 6;
  showDialog({
    title: "Send an event",
    body: [
      h("div", { class: "pair" }, field("Type", type), field("Source", source)),
      h(
        "div",
        { class: "pair" },
        field("ID", id, "An event is accepted once."),
        field("Subject", subject, "Optional."),
      ),
      types,
      field("Further attributes", attributes.element, "Such as the attribute that correlates the event with a run."),
      field("Data", data.element),
    ],
    action: "Send",
    async submit() {
      const more = attributes.value();
      const event = {
        ...(typeof more === "object" && more !== null && !Array.isArray(more) ? more : {}),
        ...{ specversion: "1.0", id: id.value, source: source.value, type: type.value },
        ...(subject.value !== "" && { subject: subject.value }),
        time: new Date().toISOString(),
        data: data.value(),
      };
      const result = await app.api.post<Delivery>("/events", event, {}, "application/cloudevents+json");
      app.notify(said(result));
      done();
    },
  });
}

function said({ status, started, delivered }: Delivery): string {
  if (status === "duplicate") return "The event was accepted before, by its source and ID.";
  const parts = [
    ...(started.length > 0 ? [`started ${started.length} ${started.length === 1 ? "run" : "runs"}`] : []),
    ...(delivered.length > 0 ? [`reached ${delivered.length} ${delivered.length === 1 ? "run" : "runs"}`] : []),
  ];
  return parts.length === 0
    ? "The event is accepted; no run waits for it now."
    : `The event has ${parts.join(" and ")}.`;
}

/** A random id. `crypto.randomUUID` exists only in pages over HTTPS or of this machine. */
const newId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const runName = (id: string): HTMLElement => h("p", { class: "subject" }, h("code", {}, id));
