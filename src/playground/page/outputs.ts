import type { Compiled, Output, Problem, TextFile, View } from "../protocol.ts";
import { copyButton } from "./copy.ts";
import { fill, h } from "./dom.ts";
import { createEditor } from "./editor.ts";
import { renderInline } from "./markdown.ts";
import { createPicture, type PictureMarks } from "./picture.ts";
import { plural } from "./problems.ts";
import { createTabs } from "./tabs.ts";

/** The panel with what the definition compiles to. */
export interface Outputs {
  readonly element: HTMLElement;
  view(): View;
  select(view: View): void;
  show(view: View, compiled: Compiled): void;
  /** Shows why a result is missing. */
  fail(reason: string): void;
  /** Shows a picture with the path of a run, in the tab of pictures. */
  showRun(svg: string, marks: PictureMarks): void;
  focus(): void;
}

const views: readonly (readonly [View, string])[] = [
  ["asl", "Machine"],
  ["typescript", "Program"],
  ["openwhisk", "Composition"],
  ["ir", "IR"],
  ["picture", "Picture"],
];

const nouns: { readonly [view in View]: string } = {
  asl: "state machine for AWS Step Functions",
  typescript: "durable TypeScript program",
  openwhisk: "composition for Apache OpenWhisk",
  ir: "intermediate representation",
  picture: "picture",
};

/** Creates the panel; `onSelect` is called when a tab or a workflow is selected. */
export function createOutputs(onSelect: (view: View, workflow: string | undefined) => void): Outputs {
  const viewer = createEditor({ label: "Output", isReadOnly: true });
  const picture = createPicture();
  const message = h("div", { class: "message" });
  const files = h("select", { "aria-label": "File", class: "files", onchange: () => showFile() });
  const workflows = h("select", { "aria-label": "Workflow", class: "files", onchange: () => choose(workflows.value) });
  const size = h("span", { class: "muted" });
  const copy = copyButton(() => viewer.text());
  const bar = h("div", { class: "bar" }, files, workflows, size, h("span", { class: "spacer" }), copy);
  const body = h("div", { class: "body" }, viewer.element, picture.element, message);
  const panel = h("div", { id: "output", class: "output" }, bar, body);
  const tabs = createTabs("Outputs", views, panel, (view) => onSelect(view, undefined));
  const element = h("section", { class: "panel outputs", "aria-label": "Outputs" }, tabs.element, panel);
  let shown: readonly TextFile[] = [];
  const lastFile = new Map<View, string>();

  const choose = (workflow: string): void => onSelect("picture", workflow);

  function showFile(): void {
    const file = shown[files.selectedIndex] ?? shown[0];
    if (!file) return;
    lastFile.set(tabs.selected(), file.path);
    viewer.load(file.path, file.text);
    size.textContent = `${plural(file.text.split("\n").length - 1, "line")}`;
  }

  function only(part: "viewer" | "picture" | "message"): void {
    viewer.element.hidden = part !== "viewer";
    picture.element.hidden = part !== "picture";
    message.hidden = part !== "message";
    for (const control of [files, size, copy]) control.hidden = part !== "viewer";
    bar.hidden = part === "message" || (part === "picture" && workflows.hidden);
  }

  function showOutput(view: View, output: Output): void {
    workflows.hidden = output.kind !== "picture" || output.workflows.length < 2;
    if (output.kind === "picture") {
      fill(workflows, ...output.workflows.map((id) => h("option", { selected: id === output.workflow }, id)));
      only("picture");
      picture.show(output.svg);
      return;
    }
    shown = output.files;
    const chosen = lastFile.get(view);
    fill(files, ...shown.map(({ path }) => h("option", { selected: path === chosen }, path)));
    only("viewer");
    showFile();
    files.hidden = shown.length < 2;
  }

  return {
    element,
    view: () => tabs.selected(),
    select: (view) => tabs.select(view),
    show(view, { output, problems }) {
      if (output) {
        showOutput(view, output);
        return;
      }
      fill(message, ...explain(view, problems));
      only("message");
    },
    fail(reason) {
      fill(message, h("p", {}, reason));
      only("message");
    },
    showRun(svg, marks) {
      workflows.hidden = true;
      only("picture");
      picture.show(svg, marks);
    },
    focus: () => tabs.element.querySelector<HTMLElement>("[tabindex='0']")?.focus(),
  };
}

function explain(view: View, problems: readonly Problem[]): readonly HTMLElement[] {
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return [h("p", {}, "There is no workflow in the definition.")];
  const shown = errors
    .slice(0, 5)
    .map(({ code, message }) => h("li", {}, h("code", { class: "code" }, code), " ", ...renderInline(message)));
  return [
    h("p", {}, `There is no ${nouns[view]} because of ${plural(errors.length, "error")}:`),
    h("ul", {}, ...shown),
  ];
}
