/** Types for the part of asl-validator in use; the package has none. */
declare module "asl-validator" {
  namespace validate {
    interface Fault {
      readonly "Error code": string;
      readonly Message?: string;
      /** The fault of a JSON schema, with the path of the value. */
      readonly schemaError?: { readonly instancePath: string; readonly schemaPath: string };
    }
  }
  /** Adds the query language to each state of the definition. */
  function validate(definition: object): {
    readonly isValid: boolean;
    readonly errors: readonly validate.Fault[];
  };
  export = validate;
}
