import { describe, expect, it } from "vitest";
import { readSettings } from "./settings.ts";

describe("settings of a server", () => {
  it.each([
    [{}, { readOnly: false, writesPerMinute: 60, auditDays: 90, receiptDays: 30 }],
    [{ YORE_READ_ONLY: "1" }, { readOnly: true }],
    [{ YORE_READ_ONLY: " yes " }, { readOnly: true }],
    [{ YORE_READ_ONLY: "" }, { readOnly: false }],
    [{ YORE_READ_ONLY: "0" }, { readOnly: false }],
    [{ YORE_READ_ONLY: "False" }, { readOnly: false }],
    [
      { YORE_WRITES_PER_MINUTE: "5", YORE_AUDIT_DAYS: "0", YORE_RECEIPT_DAYS: "0" },
      { writesPerMinute: 5, auditDays: 0, receiptDays: 0 },
    ],
    [
      { YORE_WRITES_PER_MINUTE: "many", YORE_AUDIT_DAYS: "-1" },
      { writesPerMinute: 60, auditDays: 90, receiptDays: 30 },
    ],
  ])("%j", (variables, settings) => {
    expect(readSettings(variables)).toMatchObject(settings);
  });
});
