/** Commands for the machine under the original program: there is none under a PC of a lab. */

export const refuseRelay = (): string => "There is no host network here to relay\n";

export const refuseLogin = (): string => "There is no host network here to log in to\n";

export const disconnect = (): string => "NOT daemon mode\n";

export const quit = (): string => "This PC does not end by itself: stop its node over the API\n";
