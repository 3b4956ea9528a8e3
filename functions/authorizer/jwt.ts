/** Authorizes requests with a token of an OpenID Connect issuer: `Authorization: Bearer <JWT>`. */
import { makeHandler } from "./make-handler.ts";
import { soleHeader } from "./sole-header.ts";
import { makeTokenReader, settingsFrom } from "./token.ts";

const readToken = makeTokenReader(settingsFrom(process.env));

const HEADER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i;

export const handler = makeHandler(async (event) => {
  const token = HEADER.exec(soleHeader(event, "authorization"))?.[1];
  return token === undefined ? "malformed" : readToken(token);
});
