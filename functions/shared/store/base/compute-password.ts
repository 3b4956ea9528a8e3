/**
 * The passwords of computes: one secret in Secrets Manager for each compute that has one, because the table shows its items to more
 * functions, and to its backups. A secret costs $0.40 a month, so there is none without a password.
 */
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { clientSettings } from "./client-settings.ts";
import { requiredEnv } from "./env.ts";
import { readSecret } from "./secret.ts";

const TIMEOUT_MS = 3_000;
const client = new SecretsManagerClient(clientSettings(TIMEOUT_MS));

/** A deregistered compute's id is free at once, so its secret must not wait for its deletion. */
const WITHOUT_DELAY = { ForceDeleteWithoutRecovery: true };

const nameOf = (computeId: string): string => `${requiredEnv("COMPUTE_SECRETS")}${computeId}`;

/** Stores the password of a compute, in place of an earlier one. */
export async function writeComputePassword(computeId: string, password: string): Promise<void> {
  const name = nameOf(computeId);
  const key = process.env.COMPUTE_SECRETS_KEY;
  try {
    await client.send(
      new CreateSecretCommand({
        Name: name,
        SecretString: password,
        Description: "Wirelab: the password of a compute",
        ...(key && { KmsKeyId: key }),
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceExistsException)) throw error;
    await client.send(new PutSecretValueCommand({ SecretId: name, SecretString: password }));
  }
}

/** Returns undefined when the compute has no password. */
export const readComputePassword = (computeId: string): Promise<string | undefined> =>
  readSecret(nameOf(computeId));

/** Deletes the password of a compute, if it has one. */
export async function deleteComputePassword(computeId: string): Promise<void> {
  try {
    await client.send(new DeleteSecretCommand({ SecretId: nameOf(computeId), ...WITHOUT_DELAY }));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
}
