/** A path as the parser of JSONPath reads it. */
export interface RespeltPath {
  readonly text: string;
  /** The offset in the source of an offset in `text`. */
  readonly offsets: readonly number[];
}

/**
 * Respells the escapes of Step Functions: `\.` in a name after a dot, and a backslash in quotes, which stands for itself
 * before anything but the quote and another backslash.
 *
 *   $.a\.b → $['a.b']
 *   $['a\"b'] → $['a\\"b']
 */
export function respellPath(text: string): RespeltPath {
  const made: string[] = [];
  const offsets: number[] = [];
  const add = (part: string, at: number): void => {
    for (const unit of part.split("")) {
      made.push(unit);
      offsets.push(at);
    }
  };
  let quote = "";
  for (let i = 0; i < text.length; i++) {
    const each = text[i]!;
    const next = text[i + 1] ?? "";
    if (quote !== "" && each === "\\") {
      add(next === quote || next === "\\" ? each : "\\\\", i);
      add(next, i + 1);
      i += 1;
    } else if (quote === "" && each === "." && escapedName.test(text.slice(i))) {
      const [whole, name] = escapedName.exec(text.slice(i)) as unknown as readonly [string, string];
      add(`['${name.replace(/\\(.)/gsu, "$1").replace(/['\\]/g, "\\$&")}']`, i);
      i += whole.length - 1;
    } else {
      if (quote === "" && (each === "'" || each === '"')) quote = each;
      else if (each === quote) quote = "";
      add(each, i);
    }
  }
  offsets.push(text.length);
  return { text: made.join(""), offsets };
}

/** A name after a dot that contains an escape. */
const escapedName = /^\.((?:[^.[\\()\s]*\\.)+[^.[\\()\s]*)/su;
