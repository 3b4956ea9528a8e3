/** Calls to the stores may take this long: on a machine that does other work, the usual time passes while a thread waits for a processor. */
export const PATIENT = { STORE_TIMEOUT_MS: "20000" };
