import { describeFixtures } from "../../../test/support/fixtures.ts";
import { kiloCode } from "./source.ts";

describeFixtures(kiloCode);
