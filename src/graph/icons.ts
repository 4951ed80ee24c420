import type { Detail } from "./model.ts";

/** The paths of the icons before details, in a square of 10 × 10. */
const paths: { readonly [kind in Detail["kind"]]: string } = {
  /** A function: an arrow into a box. */
  call: "M4 1H9V9H4M1 5H6M4 3L6 5L4 7",
  /** An event that is awaited: an envelope. */
  event: "M0.5 2H9.5V8.5H0.5ZM0.5 2L5 5.5L9.5 2",
  /** An event that is emitted: an arrow out of a tray. */
  emit: "M1 5V9H9V5M5 7V1M3 3L5 1L7 3",
  /** A clock. */
  wait: "M5 0.7A4.3 4.3 0 1 1 4.99 0.7M5 2.5V5L7 6",
  /** A box in a box. */
  subflow: "M0.5 0.5H9.5V9.5H0.5ZM3 3H7V7H3Z",
  /** A circular arrow. */
  retry: "M8.5 5A3.5 3.5 0 1 1 7.2 2.3M7.4 0.4V2.5H5.3",
  /** An hourglass. */
  timeout: "M1.5 0.7H8.5M1.5 9.3H8.5M2.5 0.7C2.5 4 7.5 6 7.5 9.3M7.5 0.7C7.5 4 2.5 6 2.5 9.3",
  /** A list. */
  items: "M0.5 1.5H9.5M0.5 5H9.5M0.5 8.5H9.5",
  note: "",
};

/** The path of the mark of a kind of detail. */
export const iconPath = (kind: Detail["kind"]): string => paths[kind];
