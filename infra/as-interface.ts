/**
 * Returns a construct under the interface that other constructs take. CDK's classes have an optional property as one that may be
 * undefined, CDK's interfaces have the property as one that may be absent: for `exactOptionalPropertyTypes` these are different types.
 */
export const asInterface = <I>(construct: { readonly [K in keyof I]: I[K] | undefined }): I => construct as I;
