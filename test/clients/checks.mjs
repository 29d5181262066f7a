// Counting what was checked, one printed line each.
import { AssertionError } from "node:assert";

/** `print` takes a line. */
export function createReport(print) {
  const counts = { passed: 0, failed: 0 };
  let printed;
  return {
    counts,
    /** Runs `body`, which throws when the claim `name` does not hold; `evidence` is printed then, once. */
    async check(name, body, evidence = () => undefined) {
      try {
        await body();
        counts.passed += 1;
        print(`ok ${name}`);
      } catch (error) {
        counts.failed += 1;
        const [reason, ...details] = reasonOf(error).split("\n");
        print(`FAILED ${name}: ${reason}`);
        if (details.length > 0) print(indent(details.join("\n")));
        const shown = evidence();
        if (shown !== undefined && shown !== printed) print(indent(shown));
        printed = shown;
      }
    },
  };
}

/** A value that an earlier check should have left; without it the present check fails with that for a reason. */
export function given(value, what) {
  if (value === undefined) throw new AssertionError({ message: `there is no ${what} to look at` });
  return value;
}

/** Fails unless `text` has `part` in it. */
export function assertHas(text, part, what) {
  if (!text.includes(part)) throw new AssertionError({ message: `${what} lacks ${JSON.stringify(part)}` });
}

function reasonOf(error) {
  if (error instanceof AssertionError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function indent(text) {
  return text.replace(/^/gm, "    ");
}
