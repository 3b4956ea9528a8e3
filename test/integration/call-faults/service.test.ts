/** Faults at each call to the stores of all other routes. */
import { LAB_GROUPS, PROJECT_GROUPS, routesOf, testFaults } from "../../helpers/service/call-faults-suite.ts";

const others = routesOf((group) => ![...LAB_GROUPS, ...PROJECT_GROUPS].includes(group));

testFaults(["getUsage", ...others.filter((name) => name !== "getUsage")]);
