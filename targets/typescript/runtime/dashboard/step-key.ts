/** A part of the key of a step: the step, how often it had been entered, and the branch or iteration in it. */
export interface KeySegment {
  readonly name: string;
  /** From 1 on. */
  readonly count: number;
  /** The branch, `[0]` for an iteration, empty for a subflow; undefined for the last segment. */
  readonly part?: string;
}

/**
 * A parsed key: the enclosing steps and the step itself; `timer` for a timer or time of its retries and timeout, `task`
 * for the token of its task and the answer.
 */
export interface StepKey {
  readonly path: readonly KeySegment[];
  readonly timer?: "retry" | "time" | "timeout";
  readonly task?: "token" | "answer";
}

/**
 * Parses the key of a recorded effect, such as `Check#2#stock/Ask#retry`. In names, `##` is an escaped `#`; in parts,
 * `#/` is an escaped `/`.
 */
export function parseStepKey(key: string): StepKey {
  const path: KeySegment[] = [];
  let [timer, task]: [StepKey["timer"], StepKey["task"]] = [undefined, undefined];
  for (let from = 0; from <= key.length; ) {
    const { tokens, end, isPart } = readSegment(key, from);
    const [name = "", ...rest] = tokens;
    const part = isPart ? rest.pop() : undefined;
    let count = 1;
    for (const token of rest) {
      if (/^\d+$/.test(token)) count = Number(token);
      else if (token === "retry" || token === "time" || token === "timeout") timer = token;
      else if (token === "token" || token === "answer") task = token;
    }
    path.push({ name, count, ...(part !== undefined && { part }) });
    if (!isPart) break;
    from = end;
  }
  return { path, ...(timer && { timer }), ...(task && { task }) };
}

/** Reads the tokens between single `#`s, up to the `/` that ends a part or to the end of the key. */
function readSegment(key: string, from: number): { tokens: string[]; end: number; isPart: boolean } {
  const tokens = [""];
  let i = from;
  for (; i < key.length; i++) {
    const [char, next] = [key[i]!, key[i + 1]];
    const isInName = tokens.length === 1;
    const mayEscape = !isInName && !/^\d*$/.test(tokens.at(-1)!);
    if (char === "#" && (next === "#" || (next === "/" && mayEscape))) {
      tokens.push(`${tokens.pop()}${next}`);
      i += 1;
    } else if (char === "#") tokens.push("");
    else if (char === "/" && !isInName) return { tokens, end: i + 1, isPart: true };
    else tokens.push(`${tokens.pop()}${char}`);
  }
  return { tokens, end: i, isPart: false };
}
