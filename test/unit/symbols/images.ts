/**
 * Small images, 3 pixels wide and 2 high, made once by ImageMagick 6.9.11:
 * `convert -size 3x2 xc:red -strip img.png`, and the same for .jpg, .gif and .webp; `-define webp:lossless=true` for
 * the lossless one, and `xc:'rgba(255,0,0,0.5)'` for the one with an alpha channel.
 */
const base64 = (text: string): Buffer => Buffer.from(text, "base64");

export const PNG = base64(
  "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACAQMAAACnuvRZAAAAA1BMVEX/AAAZ4gk3AAAADElEQVQI12NgYGAAAAAEAAEnNCcKAAAAAElFTkSuQmCC",
);
export const JPEG = base64(
  "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8Q" +
    "EBEQCgwSExIQEw8QEBD/2wBDAQMDAwQDBAgEBAgQCwkLEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ" +
    "EBAQEBAQEBD/wAARCAACAAMDAREAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAACP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAV" +
    "AQEBAAAAAAAAAAAAAAAAAAAHCf/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/ADoDFU3/2Q==",
);
export const GIF = base64("R0lGODlhAwACAPAAAP8AAAAAACH5BAAAAAAALAAAAAADAAIAAAIChF8AOw==");
export const WEBP_LOSSY = base64(
  "UklGRjwAAABXRUJQVlA4IDAAAADQAQCdASoDAAIAAgA0JaACdLoB+AADsAD+8MQL/yC5YXXI1/8gP+QH/ID/+PIAAAA=",
);
export const WEBP_LOSSLESS = base64("UklGRhwAAABXRUJQVlA4TA8AAAAvAkAAAAcQ/Y/+ByKi/wEA");
export const WEBP_EXTENDED = base64(
  "UklGRl4AAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAAf39/f39/AFZQOCAwAAAA0AEAnQEqAwACAAIANCWgAnS6AfgAA7AA/vDEC/8g" +
    "uWF1yNf/ID/kB/yA//jyAAAA",
);

export const RASTERS = [
  { name: "PNG", bytes: PNG, contentType: "image/png" },
  { name: "JPEG", bytes: JPEG, contentType: "image/jpeg" },
  { name: "GIF", bytes: GIF, contentType: "image/gif" },
  { name: "lossy WebP", bytes: WEBP_LOSSY, contentType: "image/webp" },
  { name: "lossless WebP", bytes: WEBP_LOSSLESS, contentType: "image/webp" },
  { name: "extended WebP", bytes: WEBP_EXTENDED, contentType: "image/webp" },
] as const;

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** An SVG of this size; `note` makes it unique and sets its length. */
export const svg = (width: number, height: number, note = ""): Uint8Array =>
  utf8(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><!--${note}--></svg>`);
