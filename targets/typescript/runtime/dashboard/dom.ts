import { outlinedIcon } from "../../../../src/page/dom.ts";

export { type Child, fill, h, setText, svg } from "../../../../src/page/dom.ts";

/** The outlines of icons on a grid of 16 × 16. */
const outlines = {
  running: "M8 2a6 6 0 1 1-6 6",
  waiting: "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M8 4.8V8l2.2 1.6",
  succeeded: "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M5.4 8.2l1.8 1.8l3.4-3.8",
  failed: "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M6 6l4 4M10 6l-4 4",
  cancelled: "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M3.8 3.8l8.4 8.4",
  stranded: "M8 2.2L14 13H2zM8 6.4v3M8 11.2v.2",
  copy: "M6 6h7v7H6zM10 6V3H3v7h3",
  event: "M2.5 4h11v8h-11zM2.5 4.5L8 9l5.500-4.500",
  search: "M7 2.500a4.500 4.500 0 1 0 0 9a4.500 4.500 0 1 0 0-9M10.300 10.300L14 14",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof outlines;

/** Creates an icon. */
export const icon = (name: IconName): SVGElement => outlinedIcon(name, outlines[name]);
