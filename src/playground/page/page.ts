import type { Compiled, ScenarioResults, TextFile, TracedRun, View } from "../protocol.ts";
import { createClient } from "./client.ts";
import { fill, h, setText } from "./dom.ts";
import { createEditor } from "./editor.ts";
import { type Example, loadExample, loadExamples, type NamedExample } from "./examples.ts";
import { createHeader } from "./header.ts";
import { renderMarkdown } from "./markdown.ts";
import { createOutputs } from "./outputs.ts";
import type { PictureMarks } from "./picture.ts";
import { createProblemList, type ProblemActions } from "./problems.ts";
import { createRuns } from "./runs.ts";
import { createSplit } from "./splits.ts";
import type { WorkerStart } from "./start.ts";
import { decodeState, encodeState, type PageState } from "./state.ts";
import { createTabs } from "./tabs.ts";

/** Changes are compiled after a pause, in milliseconds. */
const pauseMs = 120;

/** Creates the page in the body of the document. */
export function startPage({ url, worker, at: began }: WorkerStart, firstExample: NamedExample): void {
  const client = createClient(url, worker);
  let example: NamedExample | undefined;
  let definitionPath = "workflow.yaml";
  let scenariosPath = "scenarios.yaml";
  let scenario: string | undefined;
  let picture: string | undefined;
  let results: ScenarioResults | undefined;
  let run: TracedRun | undefined;
  /** The step that a link selects, until its scenario has run. */
  let linkedStep: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saved = "";
  let isReady = false;

  const definitionFile = (): TextFile => ({ path: definitionPath, text: definition.text() });
  const scenariosFile = (): TextFile => ({ path: scenariosPath, text: scenarios.text() });

  const definition = createEditor({
    label: "Definition",
    onChange: changed,
    complete: (offset) => quietly(client.request("complete", { definition: definitionFile(), offset })),
    hover: (offset) => quietly(client.request("hover", { definition: definitionFile(), offset })),
  });
  const scenarios = createEditor({ label: "Scenario file", onChange: changed });
  const definitionProblems = createProblemList("Problems of the definition", problemActions(definition));
  const scenarioProblems = createProblemList("Problems of the scenario file", problemActions(scenarios), true);
  const name = h("span", { class: "file" });
  const failure = h("output", { class: "failure" });
  const language = h("span", { class: "language muted" });
  const outputs = createOutputs(selectView);
  const runs = createRuns({ selectScenario, showStep });
  const header = createHeader((wanted) => void openExample(wanted));
  const explanation = createExplanation();

  const main = h("main", {}, ...parts());
  document.body.append(header.element, main, explanation.dialog);
  document.addEventListener("keydown", shortcut);
  addEventListener("hashchange", () => {
    if (location.hash !== saved) void restore();
  });
  void loadExamples().then((examples) => {
    header.showExamples(examples);
    header.selectExample(example?.name);
  });
  void restore();

  function parts(): readonly HTMLElement[] {
    const title = h("h2", {}, "Definition");
    const left = h(
      "section",
      { class: "panel definition", "aria-label": "Definition" },
      h(
        "div",
        { class: "bar" },
        title,
        name,
        language,
        h("span", { class: "spacer" }),
        failure,
        definitionProblems.toggle,
      ),
      definition.element,
      definitionProblems.element,
    );
    const upper = h("div", { class: "upper" });
    const split = createSplit("vertical", "Width of the definition", upper, "--left", 46);
    upper.append(left, split, outputs.element);
    const panel = h("div", { id: "scenario-panel", class: "lower-body" });
    const file = h("div", { class: "scenario-file" }, scenarios.element, scenarioProblems.element);
    const show = (tab: "run" | "file"): void => {
      fill(panel, tab === "run" ? runs.element : file);
      runs.controls.hidden = tab !== "run";
    };
    const tabs = createTabs(
      "Scenarios",
      [
        ["run", "Scenarios"],
        ["file", "File"],
      ],
      panel,
      show,
    );
    show("run");
    const bar = h(
      "div",
      { class: "bar tabbed" },
      tabs.element,
      h("span", { class: "spacer" }),
      scenarioProblems.toggle,
      runs.controls,
    );
    const lower = h("section", { class: "panel lower", "aria-label": "Scenarios" }, bar, panel);
    const container = h("div", { class: "workspace" });
    container.append(upper, createSplit("horizontal", "Height of the scenarios", container, "--top", 62), lower);
    return [container];
  }

  function problemActions(editor: typeof definition): ProblemActions {
    return {
      select: ({ start }) => editor.select(start),
      fix: (problem) => editor.apply(problem),
      explain: (code) => void client.request("explain", { code }).then((page) => explanation.show(page ?? code), fail),
    };
  }

  /** The content of an editor has changed. */
  function changed(): void {
    linkedStep = undefined;
    clearTimeout(timer);
    timer = setTimeout(update, pauseMs);
  }

  function update(): void {
    void compile();
    void runScenarios();
    void save();
  }

  async function compile(): Promise<void> {
    const view = outputs.view();
    const file = definitionFile();
    const compiled = await client
      .request("compile", { definition: file, view, workflow: picture })
      .catch((error: unknown) => {
        outputs.fail("There is no result, because the compiler has failed.");
        return fail(error);
      });
    // Later text has its own result.
    if (!compiled || file.text !== definition.text() || view !== outputs.view()) return;
    showCompiled(view, compiled);
  }

  function showCompiled(view: View, compiled: Compiled): void {
    definition.setProblems(compiled.problems);
    definitionProblems.show(compiled.problems);
    setText(failure, "");
    definitionProblems.toggle.title = `Compiled in ${compiled.took.toFixed(0)} ms`;
    setText(language, compiled.language?.replace(/ \([^()]*\)$/, "") ?? "");
    const isRun = view === "picture" && runs.step() !== undefined && run !== undefined;
    if (isRun) drawRun();
    else outputs.show(view, compiled);
    if (!isReady) performance.measure("compiler", { start: began });
    isReady = true;
    document.documentElement.dataset["ready"] = "true";
  }

  async function runScenarios(): Promise<void> {
    const given = { definition: definitionFile(), scenarios: scenariosFile() };
    const found = await client
      .request("scenarios", { ...given, traced: scenario })
      .catch((error: unknown) => fail(error));
    if (!found || given.definition.text !== definition.text() || given.scenarios.text !== scenarios.text()) return;
    results = found;
    scenarios.setProblems(found.problems);
    scenarioProblems.show(found.problems);
    run = found.trace?.runs[0];
    runs.show(found);
    const step = linkedStep ?? runs.step();
    linkedStep = undefined;
    runs.selectStep(step);
  }

  function selectView(view: View, workflow: string | undefined): void {
    picture = workflow;
    if (view === "picture" && workflow === undefined && runs.step() !== undefined) drawRun();
    void compile();
    void save();
  }

  function selectScenario(wanted: string): void {
    scenario = wanted;
    void runScenarios();
    void save();
  }

  /** Marks a step in the definition and in the picture, which the first selected step opens. */
  function showStep(shown: TracedRun | undefined, step: number | undefined, isRead: boolean): void {
    run = shown;
    const marked = step === undefined ? undefined : shown?.steps[step];
    definition.mark(marked);
    if (isRead && outputs.view() !== "picture") outputs.select("picture");
    if (outputs.view() === "picture" && step !== undefined) drawRun();
    if (isRead) void save();
  }

  function drawRun(): void {
    const step = runs.step();
    if (!run || step === undefined) return;
    const current = run.steps[Math.min(step, run.steps.length - 1)];
    const svg = current && run.pictures[current.workflow];
    if (!current || svg === undefined) return;
    const passed = run.steps.slice(0, step + 1).filter(({ workflow }) => workflow === current.workflow);
    const isOutcome = step === run.steps.length;
    const marks: PictureMarks = {
      taken: new Set(passed.flatMap(({ taken }) => [...taken])),
      current: isOutcome && current.outcome === "done" ? undefined : current.node,
      isFailed: current.outcome === "failed",
    };
    outputs.showRun(svg, marks);
  }

  async function openExample(wanted: string): Promise<void> {
    const content = await loadExample(wanted);
    if (!content) return;
    show({ name: wanted, content });
  }

  function show(shown: NamedExample): void {
    example = shown;
    scenario = undefined;
    open(shown.content);
  }

  function open({ definition: text, scenarios: tests }: Example): void {
    clearTimeout(timer);
    picture = undefined;
    definitionPath = text.path;
    scenariosPath = tests?.path ?? "scenarios.yaml";
    setText(name, text.path);
    runs.selectStep(undefined);
    definition.load(text.path, text.text);
    scenarios.load(scenariosPath, tests?.text ?? "");
    header.selectExample(example?.name);
    update();
  }

  /** Opens what the address describes, otherwise the first example. */
  async function restore(): Promise<void> {
    const state = (await decodeState(location.hash)) ?? {};
    saved = location.hash;
    const content = state.example === undefined ? undefined : await loadExample(state.example);
    example = state.example !== undefined && content ? { name: state.example, content } : undefined;
    if (state.view) outputs.select(state.view);
    scenario = state.scenario;
    if (state.definition) open({ definition: state.definition, scenarios: state.scenarios });
    else if (content) open(content);
    else show(firstExample);
    linkedStep = state.step;
  }

  /** Writes the state to the address, so that a reload and a copied link restore it. */
  async function save(): Promise<void> {
    const [own, tests] = [definitionFile(), scenariosFile()];
    const isExample =
      example?.content.definition.text === own.text && (example.content.scenarios?.text ?? "") === tests.text;
    if (!isExample) header.selectExample(undefined);
    const documents: PageState = isExample ? { example: example?.name } : { definition: own, scenarios: tests };
    const hash = await encodeState({ ...documents, view: outputs.view(), scenario, step: runs.step() });
    const isCurrent = own.text === definition.text() && tests.text === scenarios.text();
    if (hash === undefined || !isCurrent) return;
    saved = hash;
    history.replaceState(null, "", hash);
  }

  function fail(error: unknown): undefined {
    setText(failure, error instanceof Error ? error.message : String(error));
    failure.title = failure.textContent;
    return undefined;
  }

  function shortcut(event: KeyboardEvent): void {
    if (event.key === "F6") {
      event.preventDefault();
      focusPart(event.shiftKey ? -1 : 1);
    } else if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight") && results?.trace) {
      event.preventDefault();
      const label = event.key === "ArrowLeft" ? "Previous step" : "Next step";
      runs.controls.querySelector<HTMLButtonElement>(`button[aria-label="${label}"]`)?.click();
    }
  }

  /** Moves the focus to the next part: the definition, the outputs, the scenarios, the header. */
  function focusPart(by: number): void {
    const places = [
      { element: main.querySelector(".definition"), focus: definition.focus },
      { element: outputs.element, focus: outputs.focus },
      {
        element: main.querySelector(".lower"),
        focus: () => focusFirst(".steps [tabindex='0']", ".lower .tab[tabindex='0']"),
      },
      { element: header.element, focus: () => focusFirst(".top select") },
    ];
    const at = places.findIndex(({ element }) => element?.contains(document.activeElement));
    const next = at < 0 ? 0 : (at + by + places.length) % places.length;
    places[next]?.focus();
  }
}

/** Focuses the element of the first selector that has one. */
const focusFirst = (...selectors: readonly string[]): void =>
  selectors
    .map((selector) => document.querySelector<HTMLElement>(selector))
    .find((found) => found !== null)
    ?.focus();

/** Completion and hover are silent if they fail: the next compilation reports the reason. */
const quietly = <Result>(promise: Promise<Result | undefined>): Promise<Result | undefined> =>
  promise.catch(() => undefined);

/** A dialog with the page of a diagnostic. */
function createExplanation(): { readonly dialog: HTMLDialogElement; show(page: string): void } {
  const content = h("div", { class: "page" });
  const close = h("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const dialog: HTMLDialogElement = h(
    "dialog",
    { class: "wide", "aria-label": "Explanation", onclick: ({ target }) => target === dialog && dialog.close() },
    h("div", { class: "card" }, content, close),
  );
  return {
    dialog,
    show(page) {
      fill(content, renderMarkdown(page));
      dialog.showModal();
    },
  };
}
