/**
 * Replaces the SDK's chain of credential providers. A function has its credentials in environment variables; the readers of
 * profiles, sign-on caches and instance metadata would add 110 KB to every cold start.
 */
import { fromEnv } from "@aws-sdk/credential-provider-env";

export const defaultProvider = () => fromEnv();
