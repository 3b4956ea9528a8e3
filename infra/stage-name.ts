/** The version prefix of the interface is the stage. */
export const STAGE_NAME = "v2";
