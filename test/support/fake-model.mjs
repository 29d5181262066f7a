/*
 * A program that answers as a model would. Notes what it was given in the folder that it works in. What it does is its
 * argument: `answer`, `fail`, `prose`, `endless`, `hang`.
 */
import { appendFileSync, writeFileSync } from "node:fs";

const [does = "answer"] = process.argv.slice(2);
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { YORE_INSIDE: inside } = process.env;
appendFileSync("given.jsonl", `${JSON.stringify({ text, inside, argv: process.argv.slice(2) })}\n`);
if (does === "fail") process.exit(7);
if (does === "prose") process.stdout.write("I cannot help with that.");
if (does === "answer")
  process.stdout.write(JSON.stringify({ title: "By a program", summary: "It was started for this." }));
if (does === "endless") {
  const write = () => process.stdout.write("x".repeat(65_536), write);
  write();
}
if (does === "hang") {
  writeFileSync("pid", String(process.pid));
  setInterval(() => undefined, 1_000);
}
