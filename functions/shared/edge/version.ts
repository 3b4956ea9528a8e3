/**
 * The version in responses. Clients compare the part before `+` with the versions of the interface that they support;
 * the part after it is this service's own (PEP 440 local version; docs/interface.md, section 8).
 */
const INTERFACE_VERSION = "2.2.59";
export const SERVICE_VERSION = "0.1.0";
export const VERSION = `${INTERFACE_VERSION}+wirelab.${SERVICE_VERSION}`;
