/** Names of configuration files, which are searched upward from a definition. */
export const configurationNames: readonly string[] = ["yaml", "yml", "json", "jsonc"].map(
  (end) => `waybill.config.${end}`,
);

/** Names of configuration files as other tools have them, which are not read. */
export const unsupportedConfigurationNames: readonly string[] = [
  ...["ts", "mts", "cts", "js", "mjs", "cjs", "json5", "toml"].map((end) => `waybill.config.${end}`),
  ...["", ".yaml", ".yml", ".json", ".jsonc", ".js"].map((end) => `.waybillrc${end}`),
];
