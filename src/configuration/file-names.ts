/** Names of configuration files, which are searched upward from a definition. */
export const configurationNames: readonly string[] = ["yaml", "yml", "json", "jsonc"].map(
  (end) => `waybill.config.${end}`,
);
