import manifest from "../../package.json" with { type: "json" };

/** The version of Waybill. */
export const version: string = manifest.version;
