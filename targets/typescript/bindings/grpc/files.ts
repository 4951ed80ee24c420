import protobuf from "protobufjs";
import { clip } from "../../../../src/text/clip.ts";
import type { Diagnostic } from "../../../../src/text/diagnostics.ts";
import type { Source, Span } from "../../../../src/text/source.ts";
import { unusableDocument } from "../../diagnostics/kinds.ts";
import { beside, type Documents, documentNamed } from "../documents.ts";

/** A .proto file with all that it imports. */
export interface ProtoFiles {
  /** The name of the file itself. */
  readonly name: string;
  /** The files by the names that imports have for them: the first is the file itself. */
  readonly sources: ReadonlyMap<string, Source>;
  /** What all of them define. Names in it are those of messages in JSON, as the runtime's loader makes them. */
  readonly root: protobuf.Root;
}

/** Reads a .proto file and what it imports, which is looked for from the folder of the file on. Undefined where that cannot be used, which is reported. */
export function protoFiles(file: string, span: Span, documents: Documents): ProtoFiles | undefined {
  const name = file.slice(file.replaceAll("\\", "/").lastIndexOf("/") + 1);
  const sources = new Map<string, Source>();
  const root = new protobuf.Root();
  const waiting = [name];
  for (let imported = waiting.pop(); imported !== undefined; imported = waiting.pop()) {
    if (sources.has(imported) || imported.startsWith("google/protobuf/")) continue;
    if (!isInside(imported, span, documents)) return undefined;
    const source = documentNamed(imported === name ? file : beside(file, imported), span, documents);
    const imports = source && parseInto(root, source, documents);
    if (!imports) return undefined;
    sources.set(imported, source);
    waiting.push(...imports);
  }
  return { name, sources, root };
}

/** The files are copied beside the program: their names have to be ones for every file system, and none may lead out of the folder. */
function isInside(imported: string, span: Span, { report }: Documents): boolean {
  if (/^(?!.*(?:^|\/)\.)[\w.-]+(?:\/[\w.-]+)*$/.test(imported)) return true;
  report(
    unusableDocument(span, {
      detail: `\`${clip(imported)}\` has to be a name of letters, digits, \`_\`, \`-\` and \`.\`, in the folder of the file that is bound.`,
    }),
  );
  return false;
}

/** Adds what a file defines, and gives what it imports; undefined where it is broken, which is reported. */
function parseInto(root: protobuf.Root, source: Source, { report }: Documents): readonly string[] | undefined {
  try {
    const { imports = [], weakImports = [] } = protobuf.parse(source.text, root);
    return [...imports, ...weakImports];
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault;
    report(faultIn(source, fault.message));
    return undefined;
  }
}

/**
 * A fault at the line that the parser names, at the token if it stands there once: `illegal token ';', '=' expected (line 3)`. The parser meets the end of
 * a file as `null`.
 */
function faultIn(source: Source, message: string): Diagnostic {
  const [, reason = "", line] = /^(.*?)(?: \(line (\d+)\))?$/s.exec(message) ?? [];
  const lines = source.text.split("\n");
  if (/\bnull\b/.test(reason) && Number(line ?? lines.length) === lines.length) {
    const end = source.text.length;
    return unusableDocument({ source, start: end, end }, { detail: "The file ends in the middle of something." });
  }
  const before = lines.slice(0, Number(line ?? 1) - 1);
  const text = lines[before.length] ?? "";
  const token = /'([^']+)'/.exec(reason)?.[1] ?? "";
  const place = token !== "" && text.split(token).length === 2 ? token : text.trim();
  const start = before.reduce((sum, { length }) => sum + length + 1, text.indexOf(place));
  const detail = `The file cannot be read: ${clip(reason.replace(/'([^']+)'/g, "`$1`"), 100)}.`;
  return unusableDocument({ source, start, end: start + place.length }, { detail });
}
