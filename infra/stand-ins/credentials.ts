/**
 * In place of the SDK's chain of credential providers: a function has its credentials in its environment, and the
 * readers of profiles, sign-on caches and instance metadata are 110 KB that every cold start loads.
 */
import { fromEnv } from "@aws-sdk/credential-provider-env";

export const defaultProvider = () => fromEnv();
