import { outlinedIcon } from "../../page/dom.ts";

export { type Child, fill, h, setText } from "../../page/dom.ts";

/** The outlines of icons on a grid of 16 × 16. */
const outlines = {
  passed: "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M5.4 8.2l1.8 1.8l3.4-3.8",
  failed: "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M6 6l4 4M10 6l-4 4",
  waiting: "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M8 4.8V8l2.2 1.6",
  skipped: "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M5.200 8h5.600",
  error: "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M8 5v3.600M8 10.800v.2",
  warning: "M8 2.2L14 13H2zM8 6.4v3M8 11.2v.2",
  info: "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M8 7.400v3.400M8 5.200v.2",
  first: "M4 4v8M12 4L7 8l5 4z",
  previous: "M10.500 3.500L5.500 8l5 4.500",
  next: "M5.500 3.500L10.500 8l-5 4.500",
  last: "M12 4v8M4 4l5 4l-5 4z",
  light:
    "M8 5a3 3 0 1 0 0 6a3 3 0 1 0 0-6M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l1 1M12 12l1 1M3.4 12.6l1-1M12 4l1-1",
  dark: "M13 9.500A5.500 5.500 0 1 1 6.500 3a4.500 4.500 0 0 0 6.500 6.500z",
  auto: "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M8 2v12M8 5h4.500M8 8h5.800M8 11h4.500",
  link: "M6.8 9.2l2.4-2.4M7.4 4.8l1.3-1.3a2.7 2.7 0 0 1 3.8 3.8l-1.3 1.3M8.6 11.2l-1.3 1.3a2.7 2.7 0 0 1-3.8-3.8l1-1",
  help: "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M6.300 6.400a1.700 1.700 0 1 1 2.400 1.600c-.5 .2-.7 .5-.7 1.100M8 11v.2",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof outlines;

/** Creates an icon. */
export const icon = (name: IconName): SVGElement => outlinedIcon(name, outlines[name]);
