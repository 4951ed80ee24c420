import { type Access, excerpt, literal, type Slice } from "../../../src/expressions/index.ts";
import type { Environment } from "./environment.ts";
import { writeInOtherOrder } from "./hoist.ts";
import { atom, type Written } from "./written.ts";

/** `.name` and `.[key]` of jq, which fail for values of other types, or with `?` give nothing. */
export function writeAccess({ source, key, optional }: Access, environment: Environment): Written | undefined {
  const parts = writeInOtherOrder([key, source], environment);
  if (!parts) return undefined;
  const [name, value] = parts as readonly [Written, Written];
  const isShown =
    key.kind === "literal" && typeof key.value === "string" && excerpt(key.value) === JSON.stringify(key.value);
  const helper = `${isShown ? "member" : "value"}${optional ? "If" : isShown ? "" : "At"}`;
  return atom(`${environment.helper(helper)}(${value.text}, ${name.text})`, { isOptional: optional });
}

/** `.[from:upTo]` of jq. */
export function writeSlice({ source, from, upTo, optional }: Slice, environment: Environment): Written | undefined {
  if (optional) return undefined;
  const parts = writeInOtherOrder([from ?? missing, upTo ?? missing, source], environment);
  if (!parts) return undefined;
  const [start, end, value] = parts as readonly [Written, Written, Written];
  return atom(`${environment.helper("slice")}(${value.text}, ${start.text}, ${end.text})`);
}

const missing = literal(null);
