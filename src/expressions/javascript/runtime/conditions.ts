import type { Json } from "../../../json.ts";
import { attributeKey } from "./nodes.ts";

/** What a query gave, as the list of it: nothing, or the one value. */
export const present = (value: Json | undefined): Json[] => (value === undefined ? [] : [value]);

/** The context attribute of a CloudEvent with that name, without regard to case; undefined: it has none. */
export function attributeOf(event: Json, name: string): Json | undefined {
  const key = attributeKey(event, name);
  return key === undefined ? undefined : (event as { readonly [attribute: string]: Json })[key];
}
