import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSite, type Site } from "../../.build/site.ts";

/** Builds the page to a temporary folder, which `remove` deletes. */
export async function temporarySite(): Promise<Site & { remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-site-"));
  const site = await buildSite(folder);
  return { ...site, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
