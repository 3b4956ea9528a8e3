/** Authorizes requests with a token of an OpenID Connect issuer. */
import { bearerToken } from "./bearer-token.ts";
import { makeHandler } from "./make-handler.ts";
import { makeTokenReader, settingsFrom } from "./token.ts";

const readToken = makeTokenReader(settingsFrom(process.env));

export const handler = makeHandler(async (event) => {
  const token = bearerToken(event);
  return token === undefined ? "malformed" : readToken(token);
});
