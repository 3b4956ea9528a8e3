/**
 * @param acceptEncoding the header's value: `gzip, br;q=0.5` (RFC 9110, 12.5.3).
 * @returns whether the header lists the content coding with a weight above 0.
 */
export const accepts = (coding: string, acceptEncoding = ""): boolean =>
  acceptEncoding.split(",").some((item) => {
    const [name, weight = ""] = item.split(";").map((part) => part.trim().toLowerCase());
    return name === coding && !/^q=0(\.0*)?$/.test(weight);
  });
