/** Preloaded before aws-lambda-ric: replaces its addon by runtime-native-client.ts. */
import { registerHooks } from "node:module";

const url = new URL("./native-client.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === "./rapid-client.node" ? { url, shortCircuit: true } : nextResolve(specifier, context),
});
