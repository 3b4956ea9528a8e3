/** A reason in words why an image cannot be built, found or used. */
export class ImageError extends Error {
  override readonly name = "ImageError";
}
