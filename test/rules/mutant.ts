/**
 * A version of the compiler that follows another reading of a rule: the superseded one, or the opposite. A textual
 * change of one source file makes it. The scenarios of the rule must fail with it.
 */
export interface Mutant {
  /** The name of the rule's files, such as `B3.9`. */
  readonly rule: string;
  /** What the mutant does instead of the rule, such as "objects are merged recursively". */
  readonly reading: string;
  /** A source file, relative to the root of the repository. */
  readonly file: string;
  /** Text that occurs in the file exactly once. */
  readonly replace: string;
  readonly by: string;
}
