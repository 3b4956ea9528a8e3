/**
 * The versions in responses. Existing clients accept a service only if the interface's version equals their own (docs/interface.md,
 * section 8), so the stack's setting `interface_version` can name another one.
 */

export const SERVICE_VERSION = "0.1.0";

const DEFAULT_INTERFACE_VERSION = "2.2.60";

export const interfaceVersion = (): string => process.env.INTERFACE_VERSION || DEFAULT_INTERFACE_VERSION;
