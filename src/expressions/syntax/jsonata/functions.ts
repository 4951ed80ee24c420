import { failWith } from "./errors.ts";
import { readExpression } from "./operators.ts";
import { accept, advance, expectSign, isNext, type JsonataParser, rangeFrom, withoutKeepArray } from "./parser.ts";
import { checkSignature } from "./signature.ts";
import type { Jsonata, Placeholder, Variable } from "./syntax.ts";

/** Reads arguments and the closing parenthesis. */
export function readArguments(parser: JsonataParser): readonly (Jsonata | Placeholder)[] {
  const args: (Jsonata | Placeholder)[] = [];
  if (!isNext(parser, ")")) {
    do {
      const { start, end } = parser.token;
      if (accept(parser, "?")) args.push({ kind: "placeholder", start, end });
      else args.push(readExpression(parser));
    } while (accept(parser, ","));
  }
  expectSign(parser, ")", true);
  return args;
}

/** Reads the signature and the body of a function whose parameters were read as arguments. */
export function readLambda(parser: JsonataParser, start: number, args: readonly (Jsonata | Placeholder)[]): Jsonata {
  const parameters = args.map((arg): Variable => {
    const bare = arg.kind === "placeholder" ? arg : withoutKeepArray(arg);
    return bare.kind === "variable" ? bare : failWith("S0208", arg);
  });
  const signature = isNext(parser, "<") ? readSignature(parser) : undefined;
  expectSign(parser, "{");
  const body = readExpression(parser);
  expectSign(parser, "}");
  return { kind: "lambda", parameters, signature, body, ...rangeFrom(parser, start) };
}

function readSignature(parser: JsonataParser): string {
  const { start } = parser.token;
  const parts = ["<"];
  let depth = 1;
  while (depth > 0 && !isNext(parser, "{") && parser.token.kind !== "end") {
    advance(parser);
    if (isNext(parser, ">")) depth -= 1;
    else if (isNext(parser, "<")) depth += 1;
    parts.push(parser.token.text);
  }
  expectSign(parser, ">");
  const signature = parts.join("");
  checkSignature(signature, rangeFrom(parser, start));
  return signature;
}
