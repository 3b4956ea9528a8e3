/** The environment variable with which `npm start` asks the CDK app for one build of all functions: bundle.ts, `bundleTogether`. */
export const ONE_BUILD = "WIRELAB_ONE_BUILD";
