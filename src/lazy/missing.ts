/** An optional package that a definition or a configuration needs is not installed. */
export class MissingPackageError extends Error {
  readonly package: string;
  /** How to install it. */
  readonly hint: string;

  constructor(name: string, range: string) {
    const hint = `Run \`npm install --save-dev ${name}@${range}\`.`;
    super(`This needs the package ${name}, which is not installed. ${hint}`);
    this.name = "MissingPackageError";
    this.package = name;
    this.hint = hint;
  }
}
