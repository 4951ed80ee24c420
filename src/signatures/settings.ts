import type { ts } from "ts-morph";
import type { UnreadableSignature } from "./signature.ts";

/** The options of TypeScript's compiler for the modules of a folder. */
export interface CompilerSettings {
  readonly options: ts.CompilerOptions;
}

/** Reads files for TypeScript's compiler. */
export interface CompilerHost extends ts.ModuleResolutionHost {
  readonly ts: typeof ts;
  /** The number of bytes or characters of a file. */
  sizeOf(path: string): number;
  /** Reads a file, if files are only in memory. */
  readonly read: ((path: string) => string | undefined) | undefined;
  /** By path of `tsconfig.json`; the empty path for modules without. */
  readonly settings: Map<string, CompilerSettings | UnreadableSignature>;
}

/** How programs that call functions resolve modules: with extensions of TypeScript, and by `exports` of packages. */
export const moduleResolution = ({ ModuleResolutionKind, ModuleKind }: typeof ts): ts.CompilerOptions => ({
  module: ModuleKind.Preserve,
  moduleResolution: ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
});

/** The options in the nearest `tsconfig.json`, or `jsconfig.json` for JavaScript; otherwise strict ones. */
export function settingsOf(file: string, host: CompilerHost): CompilerSettings | UnreadableSignature {
  const { ts, settings } = host;
  const exists = (path: string): boolean => host.fileExists(path);
  const folder = file.slice(0, file.lastIndexOf("/")) || "/";
  const find = (name: string) => ts.findConfigFile(folder, exists, name);
  const isPackage = file.includes("/node_modules/");
  const path = isPackage ? "" : (find("tsconfig.json") ?? (/js$/.test(file) ? find("jsconfig.json") : undefined) ?? "");
  const found = settings.get(path) ?? (path === "" ? strictSettings(ts) : readSettings(path, host));
  settings.set(path, found);
  return found;
}

/** The first line of a message of TypeScript's compiler, with its code. */
export const messageOf = ({ messageText, code }: ts.Diagnostic, { flattenDiagnosticMessageText }: typeof ts): string =>
  `${flattenDiagnosticMessageText(messageText, "\n").split("\n", 1)[0]!.replace(/\.$/, "")} (TS${code})`;

const strictSettings = (compiler: typeof ts): CompilerSettings => ({
  options: {
    ...moduleResolution(compiler),
    target: compiler.ScriptTarget.ESNext,
    strict: true,
    ...fixedOptions,
  },
});

/** Options for reading types only. */
const fixedOptions: ts.CompilerOptions = {
  allowJs: true,
  noEmit: true,
  composite: false,
  incremental: false,
  skipLibCheck: true,
  noUnusedLocals: false,
  noUnusedParameters: false,
};

const noInputs = 18003;

function readSettings(path: string, { ts, ...host }: CompilerHost): CompilerSettings | UnreadableSignature {
  const invalid = (error: ts.Diagnostic) => ({ reason: `\`${nameOf(path)}\` is invalid: ${messageOf(error, ts)}` });
  const { config, error } = ts.readConfigFile(path, (each) => host.readFile(each));
  if (error) return invalid(error);
  const parsed = ts.parseJsonConfigFileContent(
    config,
    {
      useCaseSensitiveFileNames: true,
      fileExists: (each) => host.fileExists(each),
      readFile: (each) => host.readFile(each),
      readDirectory: () => [],
    },
    path.slice(0, path.lastIndexOf("/")) || "/",
    undefined,
    path,
  );
  const first = parsed.errors.find(
    ({ code, category }) => code !== noInputs && category === ts.DiagnosticCategory.Error,
  );
  if (first) return invalid(first);
  const options: ts.CompilerOptions = { ...parsed.options, ...fixedOptions };
  if (options.strictNullChecks ?? options.strict) return { options: { allowImportingTsExtensions: true, ...options } };
  const missing = "neither `strict` nor `strictNullChecks`";
  return {
    reason: `\`${nameOf(path)}\` has ${missing}, so types do not say where null occurs`,
    hint: `Set \`"strict": true\` under \`compilerOptions\`.`,
  };
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
