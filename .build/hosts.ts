// Finds the hosts of targets: the folders targets/<target>/hosts/<host>.

import { existsSync, readdirSync, readFileSync } from "node:fs";

const root = new URL("../", import.meta.url);

/** The names of a target's hosts: the default, then the others by name. */
export function hostFolders(target: string): readonly string[] {
  const folder = new URL(`targets/${target}/hosts/`, root);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? entry.name : [],
  );
  const isDefault = (name: string): boolean => {
    const { default: value } = JSON.parse(readFileSync(new URL(`${name}/host.schema.json`, folder), "utf8"));
    return value === name;
  };
  return names.sort((a, b) => Number(isDefault(b)) - Number(isDefault(a)) || (a < b ? -1 : 1));
}
