/** Offers a file to the user, as a download. */
const KEPT_MS = 60_000;

export function saveFile(name: string, content: Blob): void {
  const href = URL.createObjectURL(content);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  // The download has begun, and keeps the bytes.
  setTimeout(() => URL.revokeObjectURL(href), KEPT_MS);
}
