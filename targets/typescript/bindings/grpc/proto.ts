/** What of a .proto file says how its services are called. */
export interface ProtoFile {
  /** Empty where it has none. */
  readonly package: string;
  readonly imports: readonly string[];
  readonly services: readonly ProtoService[];
  readonly types: readonly ProtoType[];
}

/** A service. Its name has the package before it. */
export interface ProtoService {
  readonly name: string;
  readonly methods: readonly ProtoMethod[];
}

/** A method of a service. */
export interface ProtoMethod {
  readonly name: string;
  /** The types of what it takes and gives, as they are written in the scope of the service. */
  readonly input: string;
  readonly output: string;
  /** Whether there are several messages in one direction or the other. */
  readonly isStreaming: boolean;
}

/** A message or an enumeration. Its name has the package and the messages around it before it. */
export type ProtoType =
  | { readonly kind: "message"; readonly name: string; readonly fields: readonly ProtoField[] }
  | { readonly kind: "enum"; readonly name: string; readonly values: readonly string[] };

/** A field of a message. */
export interface ProtoField {
  readonly name: string;
  /** As it is written in the scope of the message. */
  readonly type: string;
  readonly cardinality: "one" | "many" | "map";
}
