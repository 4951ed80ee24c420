import type { Problem } from "../protocol.ts";
import { fill, h, type IconName, icon } from "./dom.ts";
import { renderInline } from "./markdown.ts";

/** The list of diagnostics below an editor. */
export interface ProblemList {
  readonly element: HTMLElement;
  /** Shows or hides the list and summarizes it. */
  readonly toggle: HTMLButtonElement;
  show(problems: readonly Problem[]): void;
}

/** What the list does with a diagnostic. */
export interface ProblemActions {
  select(problem: Problem): void;
  fix(problem: Problem): void;
  explain(code: string): void;
}

/**
 * Creates an empty list. It opens if there are errors or warnings, and otherwise on demand. Without problems, a quiet
 * one has no summary.
 */
export function createProblemList(label: string, actions: ProblemActions, isQuiet = false): ProblemList {
  const element = h("ul", { class: "problems", "aria-label": label, hidden: true });
  const toggle = h("button", { type: "button", class: "status", onclick: () => open(element.hidden === true) });
  let wasSerious = false;
  toggle.hidden = isQuiet;
  function open(isOpen: boolean): void {
    element.hidden = !isOpen;
    toggle.setAttribute("aria-expanded", String(isOpen));
  }
  open(false);
  return {
    element,
    toggle,
    show(problems) {
      const isSerious = problems.some(({ severity }) => severity !== "info");
      const summary = summarize(problems);
      fill(toggle, icon(summary.icon), h("span", {}, summary.text));
      toggle.className = `status ${summary.icon}`;
      toggle.disabled = problems.length === 0;
      toggle.hidden = isQuiet && problems.length === 0;
      fill(element, ...problems.map((problem) => row(problem, actions)));
      if (isSerious !== wasSerious || problems.length === 0) open(isSerious);
      wasSerious = isSerious;
    },
  };
}

const row = (problem: Problem, { select, fix, explain }: ProblemActions): HTMLElement =>
  h(
    "li",
    { class: `problem ${problem.severity}` },
    icon(problem.severity),
    h(
      "button",
      { type: "button", class: "problem-text", onclick: () => select(problem) },
      h("span", { class: "visually-hidden" }, `${problem.severity}: `),
      h("span", {}, ...renderInline(problem.message)),
      problem.hint !== undefined && h("span", { class: "hint" }, " ", ...renderInline(problem.hint)),
    ),
    problem.fix && h("button", { type: "button", class: "small", onclick: () => fix(problem) }, "Fix"),
    h(
      "button",
      { type: "button", class: "code", title: "Explain", onclick: () => explain(problem.code) },
      problem.code,
    ),
    h("span", { class: "place" }, `${problem.line}:${problem.column}`),
  );

/** An icon and a sentence for a number of diagnostics. */
function summarize(problems: readonly Problem[]): { readonly icon: IconName; readonly text: string } {
  const count = (severity: Problem["severity"]) => problems.filter((each) => each.severity === severity).length;
  const [errors, warnings, infos] = [count("error"), count("warning"), count("info")];
  const texts = [
    errors > 0 ? plural(errors, "error") : "No errors",
    ...(warnings > 0 ? [plural(warnings, "warning")] : []),
    ...(infos > 0 && errors + warnings === 0 ? [plural(infos, "note")] : []),
  ];
  return { icon: errors > 0 ? "error" : warnings > 0 ? "warning" : "passed", text: texts.join(", ") };
}

/** A number with its noun. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
