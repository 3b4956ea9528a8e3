/** Resources of the server itself (docs/interface.md, section 6.6). */
import * as z from "zod/mini";
import { optionalFields } from "./common.ts";

/** A description of an appliance has many optional parts, which clients only display. */
export const appliance = z.record(z.string(), z.unknown());

/** A licence is a few lines of text. */
const LICENSE_MAX_CHARACTERS = 65_536;

const license = {
  iourc_content: z.string().check(z.maxLength(LICENSE_MAX_CHARACTERS)),
  license_check: z.boolean(),
};

export const iouLicense = z.object(license).check(z.meta({ id: "IouLicense" }));
export type IouLicense = z.output<typeof iouLicense>;

export const iouLicenseUpdate = z
  .strictObject(optionalFields(license))
  .check(z.meta({ id: "IouLicenseUpdate" }));

export const IOU_LICENSE_DEFAULTS: IouLicense = { iourc_content: "", license_check: true };
