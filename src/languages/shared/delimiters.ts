/**
 * How languages mark an expression in a string: `${ .a }`, `{{ .a }}`, `\(.a)`, `$a`, `$.a` and `.a`. A language reads
 * its own ones and passes the others on as text, which is seldom meant.
 */
export type Delimiter = "dollarBraces" | "doubleBraces" | "interpolation" | "variable" | "path" | "dot";

/** How a language marks expressions in its strings. */
export interface StringLanguage {
  /** Its delimiters. */
  readonly own: ReadonlySet<Delimiter>;
  /** Writes an expression of jq, such as `.a.b` or `$counter`. */
  readonly write: (expression: string) => string;
  /** Whether only a whole string is an expression. */
  readonly isWhole: boolean;
  /** Variables that expressions have, without `$`. */
  readonly variables: readonly string[];
}

/** An expression in the delimiters of another language. */
export interface ForeignExpression {
  readonly delimiter: Delimiter;
  readonly from: number;
  readonly to: number;
  /** The source text, with its delimiters. */
  readonly text: string;
  /** What the language writes instead, if that is known. */
  readonly meant: string | undefined;
  /** Whether nothing but `meant` can be meant. */
  readonly isCertain: boolean;
}

/** The strings of each language with expressions. */
export const stringLanguages = {
  serverlessWorkflow: pathLanguage(),
  functionWorkflow: pathLanguage(),
  sm4c: {
    own: new Set(["dollarBraces"]),
    write: (expression: string) => `\${ ${expression} }`,
    isWhole: true,
    variables: ["value"],
  },
  /** WB4202 reports braces in version 0.1. */
  yawl: {
    own: new Set(["interpolation", "doubleBraces"]),
    write: (expression: string) => `\\(${expression})`,
    isWhole: false,
    variables: ["counter", "global"],
  },
} satisfies { readonly [language: string]: StringLanguage };

/**
 * Finds the first expression in the delimiters of another language. Prices (`$5`), constants of environments (`$HOME`),
 * names of files (`.env`, `.tar.gz`), regular expressions and scripts are plain. `isPiece`: next to expressions in a
 * string.
 */
export function findForeign(text: string, language: StringLanguage, isPiece = false): ForeignExpression | undefined {
  const searched = text.slice(0, maxSearched);
  const isPart = isPiece || text.length > maxSearched;
  for (const { delimiter, whole, part } of forms) {
    if (language.own.has(delimiter)) continue;
    const found = (isPart ? undefined : whole?.exec(searched)) ?? part?.exec(searched);
    const inner = found?.[1]?.trim();
    if (!found || inner === undefined || !isExpression(delimiter, inner, language)) continue;
    const isAll = found[0].trim() === text.trim();
    const path = pathOf(delimiter, inner, language);
    return {
      delimiter,
      from: found.index,
      to: found.index + found[0].length,
      text: found[0].trim(),
      meant: path === undefined || (language.isWhole && !isAll) ? undefined : language.write(path),
      isCertain: delimiter !== "variable" && delimiter !== "dot",
    };
  }
  return undefined;
}

function pathLanguage(): StringLanguage {
  return { own: new Set(["path"]), write: (expression) => `$${expression}`, isWhole: true, variables: [] };
}

const maxSearched = 10_000;

const forms: readonly { readonly delimiter: Delimiter; readonly whole?: RegExp; readonly part?: RegExp }[] = [
  {
    delimiter: "dollarBraces",
    whole: /^\s*\$\{([^{}]{1,200})\}\s*$/,
    part: /\$\{(\s*\$?\.[A-Za-z_][^{}]{0,200})\}/,
  },
  {
    delimiter: "doubleBraces",
    whole: /^\s*\{\{([^{}]{1,200})\}\}\s*$/,
    part: /\{\{(\s*\$?\.[A-Za-z_][^{}]{0,200})\}\}/,
  },
  { delimiter: "interpolation", part: /\\\((\s*\.[A-Za-z_][^()\\]{0,200})\)/ },
  { delimiter: "path", whole: /^\s*\$((?:\.[A-Za-z_][\w-]*|\[\d+\])+)\s*$/ },
  { delimiter: "variable", whole: /^\s*\$([a-z]\w*(?:\.[A-Za-z_][\w-]*|\[\d+\])*)\s*$/ },
  { delimiter: "dot", whole: /^\s*((?:\.[A-Za-z_]\w*(?:\[\d+\])?)+)\s*$/ },
];

function isExpression(delimiter: Delimiter, inner: string, { variables }: StringLanguage): boolean {
  switch (delimiter) {
    case "dollarBraces":
      return !/^[A-Z][A-Z0-9_]*$/.test(inner);
    case "dot":
      return !fileEndings.has(inner.slice(inner.lastIndexOf(".") + 1).toLowerCase());
    case "variable":
      return variables.length === 0 || variables.includes(/^\w+/.exec(inner)![0]);
    default:
      return true;
  }
}

/** The last part of a name of a file or host. */
const fileEndings: ReadonlySet<string> = new Set(
  `bak bin bz2 cfg com conf css csv db dev doc docx env git gitignore gitattributes gz htm html ini io jpg jpeg js json
   jsonl key lock log md net npmrc org parquet pdf pem png ps1 py rar sh sql svg tar tgz tmp ts tsx txt wav xls xlsx xml
   yaml yml zip`.split(/\s+/),
);

/** The expression of jq, if it is a member. */
function pathOf(delimiter: Delimiter, inner: string, { variables }: StringLanguage): string | undefined {
  if (delimiter === "variable" && variables.length > 0) return `$${inner}`;
  const path = inner.startsWith("$") ? inner.slice(1) : inner;
  const rooted = /^[.[]/.test(path) ? path : `.${path}`;
  return /^(?:\.[A-Za-z_][\w-]*|\[\d+\])+$/.test(rooted) ? rooted : undefined;
}
