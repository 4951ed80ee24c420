import type { Json } from "../../json.ts";
import type { Change, RunStep, ScenarioSummary, StepCall, TracedRun } from "../protocol.ts";
import { h } from "./dom.ts";
import { jsonChange, jsonView } from "./json.ts";
import { formatSeconds } from "./time.ts";

/** The details of a step: its calls and events, and the data before and after it. */
export function stepView(step: RunStep): readonly HTMLElement[] {
  const { name, noun, data, calls, emitted, error } = step;
  const changed = data.filter(({ isChanged }) => isChanged);
  const same = data.filter(({ isChanged }) => !isChanged);
  return [
    h(
      "header",
      { class: "step-head" },
      h("h3", {}, h("span", { class: "muted" }, `${noun} `), name),
      h("p", { class: "muted" }, describeTime(step)),
    ),
    ...(error === undefined ? [] : [block("Error", jsonView(error))]),
    ...calls.map(callView),
    ...emitted.map((event) => block("Emitted event", jsonView(event))),
    ...(changed.length > 0 ? [changesView(changed)] : []),
    ...same.map(({ name: variable, after }) => block(`${variable}, unchanged`, jsonView(after ?? null))),
    ...(data.length === 0 ? [h("p", { class: "muted" }, "The step has no data.")] : []),
  ];
}

function describeTime({ began, ended, outcome }: RunStep): string {
  const start = `at ${formatSeconds(began)}`;
  if (outcome === "running") return `${start}, still waiting when the run stopped`;
  const took = (ended ?? began) - began;
  const end = outcome === "failed" ? "failed" : outcome === "stopped" ? "was stopped" : "";
  if (took === 0) return end === "" ? start : `${start}, ${end}`;
  return `${start}, ${end === "" ? "took" : `${end} after`} ${formatSeconds(took)}`;
}

const block = (title: string, ...content: readonly HTMLElement[]): HTMLElement =>
  h("div", { class: "block" }, h("h4", {}, title), ...content);

function callView({ function: name, argument, response, began, ended }: StepCall): HTMLElement {
  const took = ended === undefined || ended === began ? "" : ` after ${formatSeconds(ended - began)}`;
  const [title, view] =
    response === undefined
      ? ["No response", h("p", { class: "muted" }, "The run did not wait for it.")]
      : "value" in response
        ? [`Response${took}`, jsonView(response.value)]
        : [`Error${took}`, h("pre", { class: "json failed" }, response.error)];
  return h(
    "div",
    { class: "pair" },
    block(`Call of ${name}`, jsonView(argument)),
    block(title as string, view as HTMLElement),
  );
}

function changesView(changes: readonly Change[]): HTMLElement {
  const rows = changes.flatMap(({ name, before, after }) => {
    const [old, now] = jsonChange(before, after);
    return [block(`${name} before`, old), block(`${name} after`, now)];
  });
  return h("div", { class: "pair data" }, ...rows);
}

/** The outcome of a run, and how it differs from what the scenario expects. */
export function outcomeView(run: TracedRun, summary: ScenarioSummary | undefined): readonly HTMLElement[] {
  const { status, result, elapsed, dropped } = run;
  const time = elapsed === undefined ? "" : ` after ${formatSeconds(elapsed)}`;
  return [
    h(
      "header",
      { class: "step-head" },
      h("h3", {}, h("span", { class: "muted" }, "run "), status === "" ? "without an outcome" : `${status}${time}`),
      h("p", { class: "muted" }, describeSummary(summary)),
    ),
    ...(summary && summary.details.length > 0
      ? [h("pre", { class: "json differences" }, summary.details.join("\n"))]
      : []),
    ...(result === undefined ? [] : [block(status === "failed" ? "Error" : "Output", jsonView(result as Json))]),
    ...(dropped > 0 ? [h("p", { class: "muted" }, `${dropped} later steps are not shown.`)] : []),
  ];
}

function describeSummary(summary: ScenarioSummary | undefined): string {
  switch (summary?.outcome) {
    case "passed":
      return "as the scenario expects";
    case "failed":
      return "differs from what the scenario expects";
    default:
      return "";
  }
}
