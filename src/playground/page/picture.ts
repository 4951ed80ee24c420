import type { TracedRun } from "../protocol.ts";
import { fill, h } from "./dom.ts";
import { trustedPicture } from "./trusted.ts";

/** What a picture marks of a run. */
export interface PictureMarks {
  readonly taken: ReadonlySet<string>;
  readonly current: string | undefined;
  readonly isFailed: boolean;
}

/** A picture of a workflow in a scrolling frame. */
export interface Picture {
  readonly element: HTMLElement;
  /** Shows a picture; the same one is not drawn again. */
  show(svg: string, marks?: PictureMarks): void;
}

/** Creates an empty picture. */
export function createPicture(): Picture {
  const element = h("div", { class: "picture", tabindex: 0, role: "group", "aria-label": "Picture of the workflow" });
  let shown: string | undefined;
  return {
    element,
    show(svg, marks) {
      if (svg !== shown) {
        shown = svg;
        const parsed = new DOMParser().parseFromString(trustedPicture(svg), "image/svg+xml").documentElement;
        fill(element, document.importNode(parsed, true));
      }
      for (const part of element.querySelectorAll<SVGElement>("[data-node], [data-edge]")) mark(part, marks);
      if (marks) reveal(element.querySelector(".is-current, .is-failed"));
    },
  };
}

function mark(part: SVGElement, marks: PictureMarks | undefined): void {
  const { node, edge } = part.dataset;
  const isCurrent = marks !== undefined && node !== undefined && node === marks.current;
  part.classList.toggle("is-taken", marks?.taken.has(node ?? edge ?? "") ?? false);
  part.classList.toggle("is-current", isCurrent && !marks.isFailed);
  part.classList.toggle("is-failed", isCurrent && marks.isFailed);
}

function reveal(part: Element | null): void {
  const shape = part?.querySelector(".wb-shape");
  shape?.scrollIntoView({ block: "center", inline: "nearest" });
}

/** The picture of the workflow of a step, with the path up to it; the number of steps is the outcome. */
export function pictureOfStep(
  { steps, pictures }: TracedRun,
  step: number,
): { readonly svg: string; readonly marks: PictureMarks } | undefined {
  const current = steps[Math.min(step, steps.length - 1)];
  const svg = current && pictures[current.workflow];
  if (!current || svg === undefined) return undefined;
  const passed = steps.slice(0, step + 1).filter(({ workflow }) => workflow === current.workflow);
  const isOutcome = step === steps.length;
  const marks: PictureMarks = {
    taken: new Set(passed.flatMap(({ taken }) => [...taken])),
    current: isOutcome && current.outcome === "done" ? undefined : current.node,
    isFailed: current.outcome === "failed",
  };
  return { svg, marks };
}
