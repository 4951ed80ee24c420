/** The name of a file without its folder and without `.flow.yaml`, `.yaml` or another extension. */
export const stemOf = (path: string): string => path.replace(/^.*[\\/]/, "").replace(/(?:(?<=.)\.flow)?\.[^.]*$/, "");
