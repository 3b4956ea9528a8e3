/** In place of the SDK's adaptive retries, with their own rate limiter: the clients here retry in the standard way. */
export class AdaptiveRetryStrategy {
  constructor() {
    throw new Error(
      "AWS_RETRY_MODE=adaptive is left out of the bundles (infra/bundle/replacements/adaptive-retries.ts)",
    );
  }
}
