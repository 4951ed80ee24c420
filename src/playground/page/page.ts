import type { Compiled, ScenarioResults, TracedRun, View } from "../protocol.ts";
import { type Client, createClient } from "./client.ts";
import { setText } from "./dom.ts";
import { createEditedFile, type EditedFile, type EditedFileOptions } from "./edited-file.ts";
import { type Example, loadExample, loadExamples, type NamedExample } from "./examples.ts";
import { createExplanation } from "./explanation.ts";
import { createHeader } from "./header.ts";
import { focusFirst, handleKeys } from "./keyboard.ts";
import { createLayout, createStatus } from "./layout.ts";
import { createOutputs } from "./outputs.ts";
import { pictureOfStep } from "./picture.ts";
import { createRuns } from "./runs.ts";
import type { WorkerStart } from "./start.ts";
import { decodeState, encodeState, type PageState } from "./state.ts";

/** Changes are compiled after a pause, in milliseconds. */
const pauseMs = 120;

/** Creates the page in the body of the document. */
export function startPage({ url, worker, at }: WorkerStart, firstExample: NamedExample): void {
  new Page(createClient(url, worker), at, firstExample).open();
}

/** The page: what is selected in it, and how its panels follow the two files. */
class Page {
  readonly #client: Client;
  /** When the worker was started. */
  readonly #began: number;
  readonly #firstExample: NamedExample;
  readonly #definition: EditedFile;
  readonly #scenarios: EditedFile;
  readonly #status = createStatus();
  readonly #outputs = createOutputs((view, workflow) => this.#selectView(view, workflow));
  readonly #runs = createRuns({
    selectScenario: (name) => this.#selectScenario(name),
    showStep: (run, step, isRead) => this.#showStep(run, step, isRead),
  });
  readonly #header = createHeader((wanted) => void this.#openExample(wanted));
  readonly #explanation = createExplanation();
  #example: NamedExample | undefined;
  #scenario: string | undefined;
  /** The workflow of the picture. */
  #picture: string | undefined;
  #results: ScenarioResults | undefined;
  #run: TracedRun | undefined;
  /** The step that a link selects, until its scenario has run. */
  #linkedStep: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The hash of the address that describes the page. */
  #saved = "";
  #isReady = false;

  constructor(client: Client, began: number, firstExample: NamedExample) {
    this.#client = client;
    this.#began = began;
    this.#firstExample = firstExample;
    this.#definition = this.#createFile({
      label: "Definition",
      path: "workflow.yaml",
      problems: "Problems of the definition",
      complete: (offset) => quietly(client.request("complete", { definition: this.#definition.file(), offset })),
      hover: (offset) => quietly(client.request("hover", { definition: this.#definition.file(), offset })),
    });
    const problems = "Problems of the scenario file";
    this.#scenarios = this.#createFile({ label: "Scenario file", path: scenariosPath, problems, isQuiet: true });
  }

  #createFile(options: Omit<EditedFileOptions, "onChange" | "explain">): EditedFile {
    return createEditedFile({
      ...options,
      onChange: () => this.#changed(),
      explain: (code) =>
        void this.#client.request("explain", { code }).then((page) => this.#explanation.show(page ?? code), this.#fail),
    });
  }

  /** Adds the page to the document, and opens what its address describes. */
  open(): void {
    const main = createLayout({
      definition: this.#definition,
      scenarios: this.#scenarios,
      outputs: this.#outputs,
      runs: this.#runs,
      status: this.#status,
    });
    document.body.append(this.#header.element, main, this.#explanation.dialog);
    this.#handleKeys(main);
    addEventListener("hashchange", () => {
      if (location.hash !== this.#saved) void this.#restore();
    });
    void loadExamples().then((examples) => {
      this.#header.showExamples(examples);
      this.#header.selectExample(this.#example?.name);
    });
    void this.#restore();
  }

  #handleKeys(main: HTMLElement): void {
    const scenarios = () => focusFirst(".steps [tabindex='0']", ".lower .tab[tabindex='0']");
    handleKeys({
      parts: [
        { element: main.querySelector(".definition"), focus: this.#definition.editor.focus },
        { element: this.#outputs.element, focus: this.#outputs.focus },
        { element: main.querySelector(".lower"), focus: scenarios },
        { element: this.#header.element, focus: () => focusFirst(".top select") },
      ],
      step: (by) => {
        if (!this.#results?.trace) return false;
        const label = by < 0 ? "Previous step" : "Next step";
        this.#runs.controls.querySelector<HTMLButtonElement>(`button[aria-label="${label}"]`)?.click();
        return true;
      },
    });
  }

  /** The content of an editor has changed. */
  #changed(): void {
    this.#linkedStep = undefined;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#update(), pauseMs);
  }

  #update(): void {
    void this.#compile();
    void this.#runScenarios();
    void this.#save();
  }

  async #compile(): Promise<void> {
    const view = this.#outputs.view();
    const definition = this.#definition.file();
    const compiled = await this.#client
      .request("compile", { definition, view, workflow: this.#picture })
      .catch((error: unknown) => {
        this.#outputs.fail("There is no result, because the compiler has failed.");
        return this.#fail(error);
      });
    // Later text has its own result.
    if (!compiled || definition.text !== this.#definition.file().text || view !== this.#outputs.view()) return;
    this.#showCompiled(view, compiled);
  }

  #showCompiled(view: View, compiled: Compiled): void {
    this.#definition.showProblems(compiled.problems);
    setText(this.#status.failure, "");
    this.#definition.problems.toggle.title = `Compiled in ${compiled.took.toFixed(0)} ms`;
    setText(this.#status.language, compiled.language?.replace(/ \([^()]*\)$/, "") ?? "");
    const isRun = view === "picture" && this.#runs.step() !== undefined && this.#run !== undefined;
    if (isRun) this.#drawRun();
    else this.#outputs.show(view, compiled);
    if (!this.#isReady) performance.measure("compiler", { start: this.#began });
    this.#isReady = true;
    document.documentElement.dataset["ready"] = "true";
  }

  async #runScenarios(): Promise<void> {
    const given = { definition: this.#definition.file(), scenarios: this.#scenarios.file() };
    const found = await this.#client
      .request("scenarios", { ...given, traced: this.#scenario })
      .catch((error: unknown) => this.#fail(error));
    const isCurrent =
      given.definition.text === this.#definition.file().text && given.scenarios.text === this.#scenarios.file().text;
    if (!found || !isCurrent) return;
    this.#results = found;
    this.#scenarios.showProblems(found.problems);
    this.#run = found.trace?.runs[0];
    this.#runs.show(found);
    const step = this.#linkedStep ?? this.#runs.step();
    this.#linkedStep = undefined;
    this.#runs.selectStep(step);
  }

  #selectView(view: View, workflow: string | undefined): void {
    this.#picture = workflow;
    if (view === "picture" && workflow === undefined && this.#runs.step() !== undefined) this.#drawRun();
    void this.#compile();
    void this.#save();
  }

  #selectScenario(wanted: string): void {
    this.#scenario = wanted;
    void this.#runScenarios();
    void this.#save();
  }

  /** Marks a step in the definition and in the picture, which the first selected step opens. */
  #showStep(shown: TracedRun | undefined, step: number | undefined, isRead: boolean): void {
    this.#run = shown;
    this.#definition.editor.mark(step === undefined ? undefined : shown?.steps[step]);
    if (isRead && this.#outputs.view() !== "picture") this.#outputs.select("picture");
    if (this.#outputs.view() === "picture" && step !== undefined) this.#drawRun();
    if (isRead) void this.#save();
  }

  #drawRun(): void {
    const step = this.#runs.step();
    const drawn = this.#run && step !== undefined ? pictureOfStep(this.#run, step) : undefined;
    if (drawn) this.#outputs.showRun(drawn.svg, drawn.marks);
  }

  async #openExample(wanted: string): Promise<void> {
    const content = await loadExample(wanted);
    if (content) this.#showExample({ name: wanted, content });
  }

  #showExample(shown: NamedExample): void {
    this.#example = shown;
    this.#scenario = undefined;
    this.#openFiles(shown.content);
  }

  #openFiles({ definition, scenarios }: Example): void {
    clearTimeout(this.#timer);
    this.#picture = undefined;
    setText(this.#status.name, definition.path);
    this.#runs.selectStep(undefined);
    this.#definition.load(definition);
    this.#scenarios.load(scenarios ?? { path: scenariosPath, text: "" });
    this.#header.selectExample(this.#example?.name);
    this.#update();
  }

  /** Opens what the address describes, otherwise the first example. */
  async #restore(): Promise<void> {
    const state = (await decodeState(location.hash)) ?? {};
    this.#saved = location.hash;
    const content = state.example === undefined ? undefined : await loadExample(state.example);
    this.#example = state.example !== undefined && content ? { name: state.example, content } : undefined;
    if (state.view) this.#outputs.select(state.view);
    this.#scenario = state.scenario;
    if (state.definition) this.#openFiles({ definition: state.definition, scenarios: state.scenarios });
    else if (content) this.#openFiles(content);
    else this.#showExample(this.#firstExample);
    this.#linkedStep = state.step;
  }

  /** Writes the state to the address, so that a reload and a copied link restore it. */
  async #save(): Promise<void> {
    const [definition, scenarios] = [this.#definition.file(), this.#scenarios.file()];
    const { name, content } = this.#example ?? {};
    const isExample =
      content?.definition.text === definition.text && (content.scenarios?.text ?? "") === scenarios.text;
    if (!isExample) this.#header.selectExample(undefined);
    const documents: PageState = isExample ? { example: name } : { definition, scenarios };
    const [view, step] = [this.#outputs.view(), this.#runs.step()];
    const hash = await encodeState({ ...documents, view, scenario: this.#scenario, step });
    const isCurrent =
      definition.text === this.#definition.file().text && scenarios.text === this.#scenarios.file().text;
    if (hash === undefined || !isCurrent) return;
    this.#saved = hash;
    history.replaceState(null, "", hash);
  }

  readonly #fail = (error: unknown): undefined => {
    const { failure } = this.#status;
    setText(failure, error instanceof Error ? error.message : String(error));
    failure.title = failure.textContent;
    return undefined;
  };
}

/** The path of scenarios until a file is opened. */
const scenariosPath = "scenarios.yaml";

/** Completion and hover are silent if they fail: the next compilation reports the reason. */
const quietly = <Result>(promise: Promise<Result | undefined>): Promise<Result | undefined> =>
  promise.catch(() => undefined);
