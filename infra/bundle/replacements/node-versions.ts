/** In place of the SDK's warning that a version of Node will be too old for it: the functions' is the stack's choice. */
export const state = { warningEmitted: true };

export const emitWarningIfUnsupportedVersion = () => {};
