import { contradictingBindings } from "../../../src/diagnostics/configuration.ts";
import { equalJson, type JsonObject } from "../../../src/json.ts";
import { type Binding, type Configured, nothingConfigured } from "../../../src/target.ts";
import type { Report } from "../../../src/text/diagnostics.ts";

/** What one of the workflows of a program needs of its configuration. */
export interface Needs {
  readonly configured: Configured;
  /** The functions that it calls, and the events that it emits, by their names. */
  readonly functions: readonly string[];
  readonly events: readonly string[];
}

/**
 * What the configurations say of all that the workflows of one program share: a function or an event of one name is one for all of them. Where two configurations
 * say different things of it, that is reported, and the first counts.
 */
export function mergedConfiguration(needs: readonly Needs[], report: Report): Configured {
  const merge = (kind: "function" | "event", part: "functions" | "events"): Configured["functions"] => {
    const merged = new Map<string, Binding>();
    for (const { configured, [part]: names } of needs) {
      for (const name of names) {
        const [first, binding] = [merged.get(name), configured[part].get(name)];
        if (binding && !first) merged.set(name, binding);
        if (!binding || !first || isSame(first, binding)) continue;
        const notes = [{ message: "The other configuration says this.", span: first.key }];
        report(contradictingBindings(binding.key, { noun: kind, name }, notes));
      }
    }
    return merged;
  };
  const [one, ...more] = [...new Set(needs.map(({ configured }) => configured))];
  if (more.length === 0) return one ?? nothingConfigured;
  return { ...nothingConfigured, functions: merge("function", "functions"), events: merge("event", "events") };
}

/** Whether two bindings say the same: what starts from the folder of a configuration is the same only there. */
function isSame(a: Binding, b: Binding): boolean {
  if (a === b) return true;
  const isRelative = Object.values(a.value as JsonObject).some(
    (value) => typeof value === "string" && /^\.{0,2}[\\/]|#/.test(value),
  );
  return equalJson(a.value, b.value) && (!isRelative || a.document.source === b.document.source);
}
