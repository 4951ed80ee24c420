import type { Window } from "../workflow.ts";

/** Whether an instant (in milliseconds) lies in a window. */
export const isActive = ({ from, until }: Window, now: number): boolean =>
  !(from !== undefined && now < Date.parse(from)) && !(until !== undefined && now >= Date.parse(until));
