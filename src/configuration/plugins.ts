import { wrongConfigurationValue } from "../diagnostics/configuration.ts";
import { type Document, readDocuments } from "../documents/index.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { PluginReference } from "../plugins/load.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import { type BaseReader, loadBases } from "./extends.ts";

/** A configuration may name at most this many plug-ins. */
const maxPlugins = 100;

/** Reads the plug-ins of a configuration; reports and drops invalid entries. */
export function readPlugins(root: JsonObject, document: Document, report: Report): readonly PluginReference[] {
  const given = own(root, "plugins");
  if (given === undefined) return [];
  const wanted = "an array of modules, such as `./my-target.mjs`";
  if (!Array.isArray(given) || given.length > maxPlugins) {
    report(wrongConfigurationValue(document.spanOf(root, "plugins"), { name: "`plugins`", wanted }));
    return [];
  }
  return (given as readonly Json[]).flatMap((module, index) => {
    const span = document.spanOf(given, index);
    if (typeof module === "string" && isModule(module)) return [{ module, span }];
    const form = "a path that starts with `./` or `../`, or the name of a package";
    report(wrongConfigurationValue(span, { name: "An entry of `plugins`", wanted: form }));
    return [];
  });
}

/** The plug-ins of a configuration whose other parts may depend on them. */
export function pluginsIn(source: Source): readonly PluginReference[] {
  if (!/\bplugins\b/.test(source.text)) return [];
  const [document] = readDocuments(source, () => undefined, { allowsComments: true });
  return document && isObject(document.value) ? readPlugins(document.value, document, () => undefined) : [];
}

/** A configuration and those that it extends, as far as they can be read; each after what it extends. */
export async function withBases(
  source: Source,
  read: BaseReader,
  chain: readonly string[] = [],
): Promise<readonly Source[]> {
  const load = (base: Source, above: readonly string[]) => withBases(base, read, above);
  const bases = await loadBases(source, read, load, () => undefined, chain);
  return [...bases.flat(), source];
}

const isModule = (text: string): boolean =>
  text.length <= 1000 && /^(?:\.{1,2}\/[^\0\n]+|(?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*(?:\/[\w./-]+)?)$/i.test(text);
