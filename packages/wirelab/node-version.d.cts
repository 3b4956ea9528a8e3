declare const nodeVersion: {
  /** Such as `22.18`. */
  readonly least: string;
  readonly isTooOld: (version: string) => boolean;
};
export = nodeVersion;
