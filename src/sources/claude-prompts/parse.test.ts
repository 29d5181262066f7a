import { describeFixtures } from "../../../test/support/fixtures.ts";
import { claudePrompts } from "./source.ts";

describeFixtures(claudePrompts);
