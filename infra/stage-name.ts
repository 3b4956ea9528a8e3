/** The name of the stage, which is the version prefix of the interface's paths. */
export const STAGE_NAME = "v2";
