import type { RunStep, ScenarioResults, ScenarioSummary, TracedRun } from "../protocol.ts";
import { fill, h, type IconName, icon, setText } from "./dom.ts";
import { outcomeView, stepView } from "./step-view.ts";
import { formatSeconds } from "./time.ts";

/** The scenarios, the steps of the selected one, and the details of a step. */
export interface Runs {
  readonly element: HTMLElement;
  /** The buttons that go from step to step. */
  readonly controls: HTMLElement;
  show(results: ScenarioResults): void;
  /** The selected step: the number of steps is the outcome; undefined if none is selected. */
  step(): number | undefined;
  selectStep(step: number | undefined): void;
}

/** What happens when the reader selects something. */
export interface RunActions {
  selectScenario(name: string): void;
  /** `isRead`: the reader has selected it, rather than the page. */
  showStep(run: TracedRun | undefined, step: number | undefined, isRead: boolean): void;
}

const scenarioIcons: { readonly [outcome in ScenarioSummary["outcome"]]: IconName } = {
  passed: "passed",
  failed: "failed",
  refused: "error",
  unavailable: "skipped",
};

const stepIcons: { readonly [outcome in RunStep["outcome"]]: IconName } = {
  done: "passed",
  failed: "failed",
  running: "waiting",
  stopped: "skipped",
};

/** Creates the panel. */
export function createRuns(actions: RunActions): Runs {
  const scenarios = h("ul", { class: "scenarios", "aria-label": "Scenarios", onkeydown: moveScenario });
  const steps = h("ol", { class: "steps", "aria-label": "Steps", onkeydown: moveStep });
  const details = h("div", { class: "details", tabindex: 0, role: "group", "aria-label": "Step" });
  const empty = h("p", { class: "message" });
  const grid = h("div", { class: "runs" }, scenarios, steps, details);
  const position = h("output", { class: "muted position" });
  const run = h("select", { "aria-label": "Run", onchange: () => chooseRun(run.selectedIndex) });
  const button = (name: IconName, title: string, step: () => number) =>
    h(
      "button",
      { type: "button", class: "quiet", title, "aria-label": title, onclick: () => choose(step()) },
      icon(name),
    );
  const buttons = [
    button("first", "First step", () => 0),
    button("previous", "Previous step", () => (selected ?? 0) - 1),
    button("next", "Next step", () => (selected ?? -1) + 1),
    button("last", "Outcome", () => count()),
  ];
  const controls = h("div", { class: "controls" }, run, ...buttons, position);
  const element = h("div", { class: "runs-body" }, grid, empty);

  let results: ScenarioResults | undefined;
  let runIndex = 0;
  let selected: number | undefined;

  const current = (): TracedRun | undefined => results?.trace?.runs[runIndex];
  const count = (): number => current()?.steps.length ?? 0;

  function choose(step: number): void {
    selected = Math.max(0, Math.min(step, count()));
    showSelection();
    actions.showStep(current(), selected, true);
  }

  function chooseRun(index: number): void {
    runIndex = index;
    selected = undefined;
    showSteps();
    actions.showStep(current(), selected, true);
  }

  function moveStep(event: Event): void {
    if (!(event instanceof KeyboardEvent)) return;
    const at = selected ?? -1;
    const next = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: count() }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    steps.children[selected ?? 0]?.querySelector("button")?.focus();
  }

  function moveScenario(event: Event): void {
    if (!(event instanceof KeyboardEvent) || !results) return;
    const names = results.scenarios.map(({ name }) => name);
    const at = names.indexOf(results.trace?.scenario ?? "");
    const next = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: names.length - 1 }[event.key];
    const name = next === undefined ? undefined : names[next];
    if (next === undefined) return;
    event.preventDefault();
    if (name === undefined) return;
    actions.selectScenario(name);
    scenarios.children[next]?.querySelector("button")?.focus();
  }

  function showScenarios(): void {
    const rows = (results?.scenarios ?? []).map(({ name, outcome }) =>
      option(name === results?.trace?.scenario, `scenario ${outcome}`, () => actions.selectScenario(name), [
        icon(scenarioIcons[outcome]),
        h("span", { class: "visually-hidden" }, `${outcome}: `),
        h("span", { class: "label" }, name),
      ]),
    );
    replaceRows(scenarios, rows);
  }

  function showSteps(): void {
    const shown = current();
    const rows = (shown?.steps ?? []).map((step, i) =>
      option(i === selected, `step ${step.outcome}`, () => choose(i), [
        h("span", { class: "time" }, formatSeconds(step.began)),
        h("span", { class: `indent depth-${Math.min(step.depth, 6)}` }),
        icon(stepIcons[step.outcome]),
        h("span", { class: "label" }, step.name),
        h("span", { class: "noun" }, step.noun),
      ]),
    );
    const outcome = shown && outcomeRow(shown);
    replaceRows(steps, outcome ? [...rows, outcome] : rows);
    fill(run, ...(results?.trace?.runs ?? []).map(({ id }, i) => h("option", { selected: i === runIndex }, id)));
    run.hidden = (results?.trace?.runs.length ?? 0) < 2;
    showSelection();
  }

  const outcomeRow = ({ status, elapsed, steps: all }: TracedRun): HTMLElement =>
    option(selected === all.length, `step outcome ${status}`, () => choose(all.length), [
      h("span", { class: "time" }, elapsed === undefined ? "" : formatSeconds(elapsed)),
      h("span", { class: "indent depth-0" }),
      icon(status === "failed" ? "failed" : status === "succeeded" ? "passed" : "waiting"),
      h("span", { class: "label" }, status),
      h("span", { class: "noun" }, "outcome"),
    ]);

  function showSelection(): void {
    for (const [i, row] of [...steps.children].entries()) markRow(row, i === selected);
    if (selected === undefined) steps.querySelector("button")?.setAttribute("tabindex", "0");
    if (selected !== undefined) steps.children[selected]?.scrollIntoView({ block: "nearest" });
    const shown = current();
    const step = selected === undefined ? undefined : shown?.steps[selected];
    const summary = results?.scenarios.find(({ name }) => name === results?.trace?.scenario);
    const isOwn = runIndex === 0;
    fill(
      details,
      ...(step ? stepView(step) : shown ? outcomeView(shown, isOwn ? summary : undefined) : refusal(summary)),
    );
    details.scrollTop = 0;
    const isAtEnd = selected === count();
    setText(position, selected === undefined ? "" : isAtEnd ? "outcome" : `step ${selected + 1} of ${count()}`);
    for (const each of buttons) each.disabled = shown === undefined;
    buttons[0]!.disabled ||= selected === 0;
    buttons[1]!.disabled ||= selected === undefined || selected === 0;
    buttons[2]!.disabled ||= isAtEnd;
    buttons[3]!.disabled ||= isAtEnd;
  }

  return {
    element,
    controls,
    show(next) {
      const isSame = results?.trace?.scenario === next.trace?.scenario;
      results = next;
      if (!isSame || runIndex >= (next.trace?.runs.length ?? 0)) runIndex = 0;
      selected = isSame && selected !== undefined ? Math.min(selected, count()) : undefined;
      grid.hidden = next.scenarios.length === 0;
      empty.hidden = !grid.hidden;
      setText(
        empty,
        next.problems.length > 0
          ? "The scenario file has errors."
          : "There are no scenarios. Add some in the tab File.",
      );
      showScenarios();
      showSteps();
    },
    step: () => selected,
    selectStep(step) {
      selected = step === undefined ? undefined : Math.max(0, Math.min(step, count()));
      showSelection();
      actions.showStep(current(), selected, false);
    },
  };
}

/** A row of a list, which a button fills: the selected one takes part in the order of focus. */
const option = (
  isSelected: boolean,
  name: string,
  onclick: () => void,
  children: readonly (Node | string)[],
): HTMLElement =>
  h(
    "li",
    { class: name },
    h(
      "button",
      { type: "button", tabindex: isSelected ? 0 : -1, "aria-current": String(isSelected), onclick },
      ...children,
    ),
  );

function markRow(row: Element, isSelected: boolean): void {
  const button = row.querySelector("button");
  button?.setAttribute("aria-current", String(isSelected));
  button?.setAttribute("tabindex", isSelected ? "0" : "-1");
}

/** Replaces rows and keeps the focus at its place. The first row can be reached if none is selected. */
function replaceRows(list: HTMLElement, rows: readonly HTMLElement[]): void {
  const focused = [...list.children].findIndex((row) => row.contains(document.activeElement));
  fill(list, ...rows);
  if (rows.every((row) => row.querySelector("[tabindex='0']") === null))
    rows[0]?.querySelector("button")?.setAttribute("tabindex", "0");
  if (focused >= 0) rows[Math.min(focused, rows.length - 1)]?.querySelector("button")?.focus();
}

const refusal = (summary: ScenarioSummary | undefined): readonly HTMLElement[] =>
  summary
    ? [h("pre", { class: "json differences" }, summary.details.join("\n") || `The scenario is ${summary.outcome}.`)]
    : [];
