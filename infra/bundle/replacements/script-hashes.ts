/** In place of the hashes written in JavaScript, which the SDK takes where Node is built without OpenSSL. */
class Missing {
  constructor() {
    throw new Error(
      "hashes in JavaScript are left out of the bundles (infra/bundle/replacements/script-hashes.ts)",
    );
  }
}

export { Missing as Md5Js, Missing as Sha1Js, Missing as Sha256Js };
