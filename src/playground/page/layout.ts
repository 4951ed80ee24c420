import { fill, h } from "./dom.ts";
import type { EditedFile } from "./edited-file.ts";
import type { Outputs } from "./outputs.ts";
import type { Runs } from "./runs.ts";
import { createSplit } from "./splits.ts";
import { createTabs } from "./tabs.ts";

/** The panels of the page. */
export interface Panels {
  readonly definition: EditedFile;
  readonly scenarios: EditedFile;
  readonly outputs: Outputs;
  readonly runs: Runs;
  readonly status: DefinitionStatus;
}

/** What the bar above the definition says of it. */
export interface DefinitionStatus {
  readonly name: HTMLElement;
  readonly language: HTMLElement;
  readonly failure: HTMLElement;
}

/** Creates the elements of the bar above the definition. */
export const createStatus = (): DefinitionStatus => ({
  name: h("span", { class: "file" }),
  language: h("span", { class: "language muted" }),
  failure: h("output", { class: "failure" }),
});

/** Places the definition left of the outputs, and the scenarios below both. */
export function createLayout(panels: Panels): HTMLElement {
  const left = definitionPanel(panels);
  const upper = h("div", { class: "upper" });
  upper.append(left, createSplit("vertical", "Width of the definition", upper, "--left", 46), panels.outputs.element);
  const lower = scenarioPanel(panels);
  const container = h("div", { class: "workspace" });
  container.append(upper, createSplit("horizontal", "Height of the scenarios", container, "--top", 62), lower);
  return h("main", {}, container);
}

function definitionPanel({ definition: { editor, problems }, status }: Panels): HTMLElement {
  const { name, language, failure } = status;
  const title = h("h2", {}, "Definition");
  const space = h("span", { class: "spacer" });
  const bar = h("div", { class: "bar" }, title, name, language, space, failure, problems.toggle);
  const attributes = { class: "panel definition", "aria-label": "Definition" };
  return h("section", attributes, bar, editor.element, problems.element);
}

function scenarioPanel({ scenarios: { editor, problems }, runs }: Panels): HTMLElement {
  const panel = h("div", { id: "scenario-panel", class: "lower-body" });
  const file = h("div", { class: "scenario-file" }, editor.element, problems.element);
  const show = (tab: "run" | "file"): void => {
    fill(panel, tab === "run" ? runs.element : file);
    runs.controls.hidden = tab !== "run";
  };
  const names = [
    ["run", "Scenarios"],
    ["file", "File"],
  ] as const;
  const tabs = createTabs("Scenarios", names, panel, show);
  show("run");
  const space = h("span", { class: "spacer" });
  const bar = h("div", { class: "bar tabbed" }, tabs.element, space, problems.toggle, runs.controls);
  return h("section", { class: "panel lower", "aria-label": "Scenarios" }, bar, panel);
}
