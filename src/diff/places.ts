import { positionOf, type Span } from "../text/source.ts";
import type { Property } from "./facts.ts";
import type { Place, Value } from "./model.ts";

/** The position where a span begins. */
export const placeOf = ({ source, start }: Span): Place => ({ path: source.path, ...positionOf(source, start) });

/** A property as a value in a report. */
export const reportValue = ({ text, span }: Property, fallback?: Span): Value => {
  const at = span ?? fallback;
  return { text, ...(at ? { at: placeOf(at) } : {}) };
};
