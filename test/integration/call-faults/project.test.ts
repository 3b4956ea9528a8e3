/** Faults at each call to the stores of the routes of whole projects. */
import { PROJECT_GROUPS, routesOf, testFaults } from "../../helpers/service/call-faults-suite.ts";

testFaults(routesOf((group) => PROJECT_GROUPS.includes(group)));
