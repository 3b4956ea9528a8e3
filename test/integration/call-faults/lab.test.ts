/** Faults at each call to the stores of the routes that change and run a lab. */
import { LAB_GROUPS, routesOf, testFaults } from "../../helpers/service/call-faults-suite.ts";

testFaults(routesOf((group) => LAB_GROUPS.includes(group)));
