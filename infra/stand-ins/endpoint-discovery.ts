/**
 * In place of DynamoDB's endpoint discovery, which the SDK does only when it is asked to: a client here has the endpoint
 * of its region, or the one that AWS_ENDPOINT_URL_DYNAMODB names.
 */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => false,
  configFileSelector: () => false,
  default: false,
};

export const resolveEndpointDiscoveryConfig = <T extends object>(config: T): T => config;
