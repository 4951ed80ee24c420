import type { Expression } from "../../../core/ast.ts";
import { call, literal } from "../../../core/build.ts";
import { lostDigits } from "../../digits.ts";
import type { NumberLiteral } from "../syntax.ts";
import type { Lowering } from "./environment.ts";

/** A number as a double has it. One that is too large for all of them is infinite, as jq takes it when it calculates. */
export function lowerNumber({ text, start, end }: NumberLiteral, lowering: Lowering): Expression {
  const value = Number(text);
  if (!Number.isFinite(value)) return call("infinite");
  const kept = lostDigits(text, value);
  if (kept !== undefined) lowering.warn(start, end, `Numbers are kept with 53 bits: this becomes ${kept}.`);
  return literal(value);
}
