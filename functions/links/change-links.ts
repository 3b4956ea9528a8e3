/** Operations that one module has, because most of their code is the same. */
export { createLink } from "./create-link.ts";
export { deleteLink } from "./delete-link.ts";
export { listAvailableFilters } from "./filters.ts";
export { updateLink } from "./update-link.ts";
