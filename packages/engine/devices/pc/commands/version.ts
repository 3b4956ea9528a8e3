/** `version`: prints the console's version. */
/** The VPCS release with whose console this one is compatible. */
const VERSION = "0.8.3";

export const versionText = (): string => `
Welcome to Virtual PC Simulator, version ${VERSION}
This is the simulated PC of Wirelab; its commands are those of that version.
Wirelab is free software under the MIT licence.
`;
