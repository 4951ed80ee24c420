import { failWith } from "./errors.ts";
import type { SourceRange } from "./syntax.ts";

interface SignatureParameter {
  readonly type: string;
  /** A regular expression over a letter per argument. */
  pattern: string;
}

/**
 * Checks a function signature such as `<s-(sn)?:n>`. JSONata matches arguments with a regular expression made of it, so
 * what is accepted follows from that expression.
 */
export function checkSignature(signature: string, range: SourceRange): void {
  if (signature.length > maxSignatureLength) failWith("S0403", range);
  const parameters: SignatureParameter[] = [];
  for (let at = 1; at < signature.length && signature.charAt(at) !== ":"; at++) {
    const symbol = signature.charAt(at);
    const previous = parameters.at(-1);
    if (simpleTypes.has(symbol)) {
      parameters.push({ type: symbol, pattern: `[${symbol}m]` });
    } else if (symbol === "?" || symbol === "+" || symbol === "-") {
      if (previous) addQuantifier(previous, symbol, range);
      else if (symbol === "-") checkPattern("undefined", range);
    } else if (symbol === "(") {
      const close = closingIndex(signature, at, "(", ")");
      const choice = signature.slice(at + 1, close);
      if (choice.includes("<")) failWith("S0402", range);
      parameters.push({ type: "choice", pattern: `[${choice}m]` });
      at = close;
    } else if (symbol === "<") {
      if (previous?.type !== "a" && previous?.type !== "f") failWith("S0401", range);
      at = closingIndex(signature, at, "<", ">");
    }
  }
  checkPattern(`^${parameters.map(({ pattern }) => `(${pattern})`).join("")}$`, range);
}

const maxSignatureLength = 1000;
const simpleTypes = new Set("snbloafjx");

function addQuantifier(parameter: SignatureParameter, symbol: string, range: SourceRange): void {
  if (symbol === "-") checkPattern(parameter.pattern, range);
  parameter.pattern += symbol === "-" ? "?" : symbol;
}

/** Compiles the expression, but does not run it. */
function checkPattern(pattern: string, range: SourceRange): void {
  try {
    new RegExp(pattern);
  } catch {
    failWith("S0403", range);
  }
}

/** The index of the bracket that closes the one at `start`, or the length. */
function closingIndex(text: string, start: number, open: string, close: string): number {
  let depth = 1;
  for (let at = start + 1; at < text.length; at++) {
    const symbol = text.charAt(at);
    if (symbol === open) depth += 1;
    else if (symbol === close && --depth === 0) return at;
  }
  return text.length;
}
