import type { Graph } from "../../../../src/graph/model.ts";
import { nodeOfKey, pathTaken } from "../../../../src/graph/path.ts";
import { graphStyle, renderSvg } from "../../../../src/graph/svg.ts";

export type { Graph } from "../../../../src/graph/model.ts";

/** The keys of the steps of a run. */
export interface PictureKeys {
  /** Recorded ones, in order. */
  readonly recorded: readonly string[];
  readonly pending: readonly string[];
  readonly failed: readonly string[];
}

let isStyled = false;

/** Draws the graph of a workflow. */
export function drawPicture(graph: Graph): Element {
  if (!isStyled) {
    isStyled = true;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(graphStyle);
    document.adoptedStyleSheets.push(sheet);
  }
  const text = renderSvg(graph, { style: false });
  const picture = new DOMParser().parseFromString(trusted(text), "image/svg+xml").documentElement;
  return document.importNode(picture, true);
}

/** Marks the path of a run in a picture. The layout, which takes seconds for 1,000 nodes, stays. */
export function markPicture(picture: Element, graph: Graph, { recorded, pending, failed }: PictureKeys): void {
  const { nodes, edges } = pathTaken(graph, [...recorded, ...pending]);
  const having = (keys: readonly string[]): ReadonlySet<string> =>
    new Set(keys.flatMap((key) => nodeOfKey(graph, key)?.id ?? []));
  const [current, wrong] = [having(pending), having(failed)];
  for (const element of picture.querySelectorAll<SVGElement>("[data-node], [data-edge]")) {
    const { node = "", edge = "" } = element.dataset;
    element.classList.toggle("is-taken", nodes.has(node) || edges.has(edge));
    element.classList.toggle("is-current", current.has(node));
    element.classList.toggle("is-failed", wrong.has(node));
  }
}

/** `renderSvg` escapes every string of the graph, so its result may become markup. */
function trusted(text: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  if (!trustedTypes) return text;
  policy ??= trustedTypes.createPolicy("picture", { createHTML: (markup) => markup });
  return policy.createHTML(text);
}

let policy: { createHTML(text: string): string } | undefined;

/** The part of the Trusted Types API that is used. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string }): { createHTML(text: string): string };
}
