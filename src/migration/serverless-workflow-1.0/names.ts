/** A string as the name of a workflow: a DNS label. */
export function documentName(text: string): string {
  const words = text.replaceAll(/([a-z\d])([A-Z])/g, "$1-$2").toLowerCase();
  const name = words
    .replaceAll(/[^a-z\d]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 63);
  return name.replaceAll(/-+$/g, "") || "workflow";
}

/** A string as a semantic version. */
export function semanticVersion(text: string): string {
  if (/^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(text)) return text;
  const [, major, minor = "0", patch = "0"] = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text.trim()) ?? [];
  return major === undefined ? "0.1.0" : `${Number(major)}.${Number(minor)}.${Number(patch)}`;
}
