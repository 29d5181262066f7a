// Prints `N passed, N failed` over the JSON reports in a folder; fails where a step failed or nothing was tested.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder = ".", stepFailed = "0"] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const name of readdirSync(folder)) {
  const report = JSON.parse(readFileSync(join(folder, name), "utf8"));
  passed += report.numPassedTests;
  failed += report.numFailedTests + (report.numFailedTestSuites > 0 && report.numFailedTests === 0 ? 1 : 0);
}
if (stepFailed !== "0" && failed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
