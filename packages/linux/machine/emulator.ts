/** Guests of different emulators give different bytes. The number grows when this folder changes what they give. */
export const EMULATOR = "v86 0.5.462, 1";
