import type { FileSystemHost, ts } from "ts-morph";
import { loadTsMorph } from "#lazy";
import { MissingPackageError } from "../lazy/missing.ts";
import { didYouMean } from "../text/messages.ts";
import type { Source, Span } from "../text/source.ts";
import { normalizePath } from "../text/uris.ts";
import { any, isNever, type Type, union } from "../types/index.ts";
import { createTypeConverter, type TypeContext, type TypeConverter } from "./json-types.ts";
import { type CompilerHost, type CompilerSettings, messageOf, moduleResolution, settingsOf } from "./settings.ts";
import type { FoundSignature, ModuleExport, Signature, SignatureReader, UnreadableSignature } from "./signature.ts";

/** Where modules are: on disk, or only in memory. */
export type ModuleFiles =
  | { /** The folder of relative paths. */ readonly cwd: string }
  | {
      /** The text of a file by its path from the root `/`, which is also that of relative paths. */ readonly read: ReadText;
    };

/** Reads a file; undefined if it does not exist. */
export type ReadText = (path: string) => string | undefined;

/** Larger modules are not read. */
const maxBytes = 4 * 1024 * 1024;

/** Creates a reader that compiles the modules of each `tsconfig.json` together, and executes none. */
export function createSignatureReader(files: ModuleFiles): SignatureReader {
  const cwd = "cwd" in files ? files.cwd.replaceAll("\\", "/") : "";
  let host: CompilerHost | undefined;
  const sources = new Map<string, Source>();
  const sourceOf = (file: ts.SourceFile): Source => {
    const known = sources.get(file.fileName);
    const source = known ?? { path: displayPath(file.fileName, cwd), text: file.text };
    sources.set(file.fileName, source);
    return source;
  };
  return (exports) => {
    const compiler = host ?? tryCreatingHost(files);
    if ("reason" in compiler) return exports.map(() => compiler);
    host = compiler;
    const resolved = exports.map((each) => resolveExport(each, cwd, compiler));
    const readable = resolved.flatMap((each) => ("file" in each ? [each] : []));
    const programs = new Map<CompilerSettings, ModuleProgram>();
    for (const [settings, group] of Map.groupBy(readable, (each) => each.settings))
      programs.set(
        settings,
        createModuleProgram([...new Set(group.map(({ file }) => file))], settings, compiler, sourceOf),
      );
    return resolved.map((each) =>
      "reason" in each ? each : readSignature(each.file, each.name, programs.get(each.settings)!),
    );
  };
}

/** ts-morph is an optional package. */
function tryCreatingHost(files: ModuleFiles): CompilerHost | UnreadableSignature {
  try {
    return createHost(files);
  } catch (error) {
    if (!(error instanceof MissingPackageError)) throw error;
    return { reason: `the package ${error.package} is not installed`, hint: error.hint };
  }
}

function createHost(files: ModuleFiles): CompilerHost {
  const { ts } = loadTsMorph();
  const settings = new Map<string, CompilerSettings | UnreadableSignature>();
  if ("cwd" in files) {
    const { fileExists, readFile, directoryExists, realpath, getFileSize } = ts.sys;
    return {
      ts,
      read: undefined,
      settings,
      fileExists,
      readFile,
      directoryExists,
      sizeOf: (path) => getFileSize?.(path) ?? 0,
      ...(realpath ? { realpath } : {}),
    };
  }
  const { read } = files;
  return {
    ts,
    read,
    settings,
    fileExists: (path) => read(path) !== undefined,
    readFile: read,
    sizeOf: (path) => read(path)?.length ?? 0,
  };
}

const absolutePath = (path: string, cwd: string): string => {
  const given = path.replaceAll("\\", "/");
  return given.startsWith("/") || /^[a-z]:\//i.test(given) ? given : normalizePath(`${cwd}/${given}`);
};

const displayPath = (path: string, cwd: string): string =>
  path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;

interface ResolvedExport {
  readonly file: string;
  readonly name: string;
  readonly settings: CompilerSettings;
}

function resolveExport(
  { module, name, from }: ModuleExport,
  cwd: string,
  host: CompilerHost,
): ResolvedExport | UnreadableSignature {
  const { ts } = host;
  const isRelative = /^\.{0,2}\//.test(module);
  const options = { ...moduleResolution(ts), allowJs: true };
  const { resolvedModule } = ts.resolveModuleName(module, absolutePath(from, cwd || "/"), options, host);
  if (!resolvedModule)
    return { reason: isRelative ? "no such file or folder" : "the package is not installed, or it has no types" };
  const { resolvedFileName: file } = resolvedModule;
  if (!/\.[cm]?[jt]s$/.test(file)) return { reason: "its extension is not one of TypeScript or JavaScript" };
  if (host.sizeOf(file) > maxBytes) return { reason: `it is larger than ${maxBytes} bytes` };
  const settings = settingsOf(file, host);
  return "reason" in settings ? settings : { file, name, settings };
}

interface ModuleProgram extends TypeContext {
  readonly errors: Map<string, Signature["error"]>;
}

function createModuleProgram(
  files: readonly string[],
  { options }: CompilerSettings,
  { ts, read }: CompilerHost,
  sourceOf: (file: ts.SourceFile) => Source,
): ModuleProgram {
  const { Project } = loadTsMorph();
  const project = new Project({ compilerOptions: options, ...(read ? { fileSystem: filesInMemory(read) } : {}) });
  for (const file of files) project.addSourceFileAtPath(file);
  const program = project.getProgram().compilerObject;
  const spanOf = (node: ts.Node): Span => ({
    source: sourceOf(node.getSourceFile()),
    start: node.getStart(),
    end: node.getEnd(),
  });
  return { ts, program, checker: program.getTypeChecker(), spanOf, errors: new Map() };
}

/** A file system of the files that `read` returns. */
function filesInMemory(read: ReadText): FileSystemHost {
  const { InMemoryFileSystemHost } = loadTsMorph();
  const memory = new InMemoryFileSystemHost();
  const exists = (path: string): boolean => /\.(?:[cm]?[jt]s|json)$/.test(path) && read(path) !== undefined;
  const readFile = (path: string, encoding?: string): string => read(path) ?? memory.readFileSync(path, encoding);
  return Object.assign(memory, {
    fileExistsSync: exists,
    fileExists: (path: string) => Promise.resolve(exists(path)),
    readFileSync: readFile,
    readFile: async (path: string, encoding?: string) => readFile(path, encoding),
  });
}

function readSignature(path: string, name: string, context: ModuleProgram): FoundSignature {
  const { ts, program, checker, spanOf } = context;
  const file = program.getSourceFile(path);
  const module = file && checker.getSymbolAtLocation(file);
  const found = module ? checker.getExportsOfModule(module) : [];
  const exported = found.find((each) => each.name === name);
  if (!file || !exported)
    return {
      reason: `it has no export \`${name}\``,
      hint: didYouMean(
        name,
        found.map((each) => each.name),
      ),
    };
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  if (!(symbol.flags & ts.SymbolFlags.Value)) return { reason: `its export \`${name}\` is a type, not a function` };
  const type = checker.getTypeOfSymbolAtLocation(symbol, file);
  const signatures = type.getCallSignatures();
  if (signatures.length === 0) {
    const isUntyped = Boolean(type.flags & ts.TypeFlags.Any);
    return { reason: isUntyped ? `its export \`${name}\` has no type` : `its export \`${name}\` is not a function` };
  }
  const declaration = symbol.declarations?.[0] ?? file;
  const converter = createTypeConverter(context);
  const error = errorIn(file, context);
  return {
    parameter: parameterType(signatures, declaration, converter, context),
    result: resultType(signatures, converter, context),
    span: spanOf(ts.getNameOfDeclaration(declaration as ts.Declaration) ?? declaration),
    inexact: converter.inexact,
    ...(error ? { error } : {}),
  };
}

/** The union over the overloads; undefined if one of them takes no argument. */
function parameterType(
  signatures: readonly ts.Signature[],
  location: ts.Node,
  converter: TypeConverter,
  { ts, checker }: ModuleProgram,
): Type | undefined {
  const types: Type[] = [];
  for (const { parameters } of signatures) {
    const [first] = parameters;
    if (!first) return undefined;
    const type = checker.getTypeOfSymbolAtLocation(first, location);
    const declaration = first.valueDeclaration;
    const isRest = declaration && ts.isParameter(declaration) && declaration.dotDotDotToken;
    const [element = type] = isRest ? checker.getTypeArguments(type as ts.TypeReference) : [];
    types.push(converter.convert(element, "parameter"));
  }
  return union(...types);
}

/** A function that never returns may have any result. */
function resultType(signatures: readonly ts.Signature[], converter: TypeConverter, { checker }: ModuleProgram): Type {
  const types = signatures.map((signature) => {
    const type = signature.getReturnType();
    return converter.convert(checker.getAwaitedType(type) ?? type, "result");
  });
  const result = union(...types);
  return isNever(result) ? any : result;
}

/** The first error of a module, each module once. */
function errorIn(file: ts.SourceFile, { ts, program, spanOf, errors }: ModuleProgram): Signature["error"] {
  if (errors.has(file.fileName)) return errors.get(file.fileName);
  const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].filter(
    ({ category }) => category === ts.DiagnosticCategory.Error,
  );
  const [first] = found;
  const { source } = spanOf(file);
  const error = first && {
    message: messageOf(first, ts),
    span: { source, start: first.start ?? 0, end: (first.start ?? 0) + (first.length ?? 0) },
    count: found.length,
  };
  errors.set(file.fileName, error);
  return error;
}
