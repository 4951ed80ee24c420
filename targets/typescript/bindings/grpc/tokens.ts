/** A piece of a .proto file, and where it begins. */
export interface Token {
  readonly kind: "name" | "text" | "number" | "symbol" | "end";
  /** Of a string its value. */
  readonly text: string;
  readonly start: number;
}

/** The pieces of a .proto file without comments and spaces, and one for its end. What is no piece becomes a symbol, which no rule takes. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const pattern =
    /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|"([^"\\\n]*(?:\\.[^"\\\n]*)*)"|'([^'\\\n]*(?:\\.[^'\\\n]*)*)'|(\d[\w.]*)|([\s\S])/gy;
  for (const match of text.matchAll(pattern)) {
    const [, name, double, single, number, symbol] = match;
    const start = match.index;
    if (name !== undefined) tokens.push({ kind: "name", text: name, start });
    else if (double !== undefined || single !== undefined)
      tokens.push({ kind: "text", text: double ?? single ?? "", start });
    else if (number !== undefined) tokens.push({ kind: "number", text: number, start });
    else if (symbol !== undefined) tokens.push({ kind: "symbol", text: symbol, start });
  }
  return [...tokens, { kind: "end", text: "", start: text.length }];
}
