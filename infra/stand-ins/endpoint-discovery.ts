/**
 * Replaces DynamoDB's endpoint discovery, which the SDK performs only on request. The clients of this service use the
 * endpoint of their region, or AWS_ENDPOINT_URL_DYNAMODB.
 */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => false,
  configFileSelector: () => false,
  default: false,
};

export const resolveEndpointDiscoveryConfig = <T extends object>(config: T): T => config;
