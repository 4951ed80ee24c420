import type { RunStatus } from "../engine.ts";
import { h, icon } from "./dom.ts";

/** The words for statuses. */
export const statusNames: { readonly [status in RunStatus]: string } = {
  running: "Running",
  waiting: "Waiting",
  succeeded: "Succeeded",
  failed: "Failed",
  cancelled: "Cancelled",
  stranded: "Stranded",
};

/** Creates a badge with the icon and the word of a status. */
export const statusBadge = (status: RunStatus): HTMLElement =>
  h("span", { class: `badge ${status}`, "data-status": status }, icon(status), h("span", {}, statusNames[status]));

/** Changes the status of a badge. */
export function setStatus(badge: HTMLElement, status: RunStatus): void {
  if (badge.dataset["status"] === status) return;
  badge.dataset["status"] = status;
  badge.className = `badge ${status}`;
  badge.replaceChildren(icon(status), h("span", {}, statusNames[status]));
}
