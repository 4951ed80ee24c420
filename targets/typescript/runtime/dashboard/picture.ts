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

/** Draws the graph of a workflow, and the path that a run has taken. */
export function drawPicture(graph: Graph, keys?: PictureKeys): Element {
  if (!isStyled) {
    isStyled = true;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(graphStyle);
    document.adoptedStyleSheets.push(sheet);
  }
  const text = renderSvg(graph, { style: false, ...(keys && marksOf(graph, keys)) });
  const picture = new DOMParser().parseFromString(trusted(text), "image/svg+xml").documentElement;
  return document.importNode(picture, true);
}

function marksOf(graph: Graph, { recorded, pending, failed }: PictureKeys) {
  const { nodes, edges } = pathTaken(graph, [...recorded, ...pending]);
  const having = (keys: readonly string[]): ReadonlySet<string> =>
    new Set(keys.flatMap((key) => nodeOfKey(graph, key)?.id ?? []));
  return { taken: new Set([...nodes, ...edges]), current: having(pending), failed: having(failed) };
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
