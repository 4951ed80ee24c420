import type { Program } from "../../src/ir/workflow.ts";
import { own } from "../../src/json.ts";
import type { Settings, TargetSettings } from "../../src/target/contract.ts";
import { locateConflict } from "../../src/target/settings.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import type { Source } from "../../src/text/source.ts";
import { type ModuleReference, moduleId } from "./bindings/modules.ts";
import { conflictingCodecs, unsupportedCodec } from "./diagnostics/kinds.ts";
import type { Host } from "./host.ts";

/** The module with the codec of a program. Different codecs, and a codec on a host that cannot use it, are reported. */
export function codecOf(
  { workflows }: Program,
  { name, limits }: Host,
  hosts: readonly Host[],
  settings: Settings,
  report: Report,
): ModuleReference | undefined {
  const configured = workflows.map((workflow) => {
    const own = settings.configurationOf(workflow);
    return { workflow, settings: own, codec: readCodec(own) };
  });
  const [first] = configured;
  if (!first) return undefined;
  const expected = first.codec && moduleId(first.codec);
  const other = configured.find(({ codec }) => (codec && moduleId(codec)) !== expected);
  if (other) {
    const [span, notes] = locateConflict(["codec"], first, other);
    report(conflictingCodecs(span, {}, notes));
    return undefined;
  }
  if (!first.codec) return undefined;
  const reference = { ...first.codec, span: first.settings.spanOf("codec") ?? first.workflow.span };
  if (limits.codec === undefined) return reference;
  const others = hosts.filter((each) => each.limits.codec === undefined).map((each) => each.name);
  report(unsupportedCodec(reference.span, { host: name, reason: limits.codec, others }));
  return undefined;
}

/** A path from `--set` is relative to the current folder. */
function readCodec(settings: TargetSettings): Omit<ModuleReference, "span"> | undefined {
  const module = own(settings.values, "codec");
  return typeof module === "string"
    ? { module, configuration: settings.spanOf("codec")?.source ?? commandLine }
    : undefined;
}

const commandLine: Source = { path: "", text: "" };
