/** Reads the stack's secrets from Secrets Manager. */
import {
  GetSecretValueCommand,
  InvalidRequestException,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";

const client = new SecretsManagerClient({});

/**
 * @returns undefined when the secret has been deleted, which an operator may do once there are users. A secret that is scheduled for
 * deletion counts as deleted: GetSecretValue reports it as InvalidRequestException, and no other state of a secret.
 */
export async function readSecret(id: string): Promise<string | undefined> {
  try {
    return (await client.send(new GetSecretValueCommand({ SecretId: id }))).SecretString;
  } catch (error) {
    if (error instanceof ResourceNotFoundException || error instanceof InvalidRequestException)
      return undefined;
    throw error;
  }
}
