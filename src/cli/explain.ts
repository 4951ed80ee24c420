import { type CatalogueEntry, catalogue } from "../diagnostics/renderers/catalogue.ts";
import { plainText } from "../diagnostics/renderers/page.ts";
import { nearestName } from "../text/messages.ts";
import { type ExitStatus, exit, type Terminal, usage } from "./terminal.ts";

/** `waybill explain`: what a code means, why there is such a diagnostic, and an example of it; without a code the list of all. */
export function explain(code: string | undefined, terminal: Terminal): ExitStatus {
  if (code === undefined) terminal.out([...catalogue.values()].map((entry) => `${head(entry)}\n`).join(""));
  else terminal.out(explanation(entryOf(code)));
  return exit.fine;
}

function entryOf(code: string): CatalogueEntry {
  const wanted = /^\d/.test(code) ? `WB${code}` : code.toUpperCase();
  const found = catalogue.get(wanted);
  if (found) return found;
  const near = nearestName(wanted, catalogue.keys());
  throw usage(
    `There is no code \`${code}\`.${near === undefined ? " `waybill explain` lists them all." : ` Did you mean \`${near}\`?`}`,
  );
}

const head = ({ code, severity, summary }: CatalogueEntry): string => `${code} ${severity}: ${summary}`;

const explanation = (entry: CatalogueEntry): string => `${head(entry)}\n\n${plainText(entry.page)}`;
