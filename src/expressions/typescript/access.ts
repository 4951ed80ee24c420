import type { Access } from "../ast.ts";
import { canFail } from "../facts.ts";
import type { Environment } from "./environment.ts";
import { writeOne } from "./write.ts";
import { atom, type Written } from "./written.ts";

/** `.name` and `.[key]` of jq, which fail for values of other types. */
export function writeAccess({ source, key, optional }: Access, environment: Environment): Written | undefined {
  if (optional || (canFail(source) && canFail(key))) return undefined;
  const [value, name] = [writeOne(source, environment), writeOne(key, environment)];
  if (!value || !name) return undefined;
  const helper = key.kind === "literal" && typeof key.value === "string" ? "member" : "valueAt";
  return atom(`${environment.helper(helper)}(${value.text}, ${name.text})`);
}
