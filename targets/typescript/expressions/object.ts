import { canFail, factsOf, type ObjectConstruction } from "../../../src/expressions/index.ts";
import { type Environment, withoutLines } from "./environment.ts";
import { constant } from "./hoist.ts";
import { isWord, propertyText } from "./text.ts";
import { writeOne } from "./write.ts";
import { atom, inside, level, listed, type Written } from "./written.ts";

type Entry = ObjectConstruction["entries"][number];

/** An object with its members; undefined where a member is written twice. */
export function writeObject(entries: readonly Entry[], environment: Environment): Written | undefined {
  const names = entries.flatMap(({ key }) => (key.kind === "literal" ? [key.value] : []));
  if (new Set(names).size < names.length) return undefined;
  const parts: string[] = [];
  let current = environment;
  for (const entry of entries) {
    const part = writeEntry(entry, current);
    if (part === undefined) return undefined;
    parts.push(part);
    if (canFail(entry.value) || canFail(entry.key) || factsOf(entry.key).type !== "string")
      current = withoutLines(current);
  }
  return atom(listed("{", parts, "}", " "), { type: "object", isPresent: true });
}

function writeEntry({ key, value }: Entry, environment: Environment): string | undefined {
  if (key.kind === "literal") {
    const written = writeOne(value, environment);
    return written && typeof key.value === "string" ? memberText(key.value, inside(written, level.choice)) : undefined;
  }
  const name = writeOne(key, environment);
  if (!name) return undefined;
  const isText = factsOf(key).type === "string";
  if (!isText && canFail(value)) return writeChecked({ key, value }, name, environment);
  const written = writeOne(value, canFail(key) ? withoutLines(environment) : environment);
  return written && computedText(isText ? name.text : `${environment.helper("objectKey")}(${name.text})`, written);
}

/** That a key is a text is found out when the value is there: both become constants. */
function writeChecked({ key, value }: Entry, name: Written, environment: Environment): string | undefined {
  const known = constant(key, name, environment);
  const written = known && writeOne(value, environment);
  const placed = written && constant(value, written, environment);
  return placed && computedText(`${environment.helper("objectKey")}(${known.text})`, placed);
}

const computedText = (key: string, value: Written): string => `[${key}]: ${inside(value, level.choice)}`;

/** `__proto__` is computed, as it would set the prototype otherwise. */
function memberText(name: string, value: string): string {
  if (name === "__proto__") return `["__proto__"]: ${value}`;
  return name === value && isVariable(name) ? name : `${propertyText(name)}: ${value}`;
}

const isVariable = (text: string): boolean => isWord(text) && !["null", "true", "false"].includes(text);
