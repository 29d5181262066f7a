import { runMcp } from "./run-mcp.ts";

export { runMcp };

// Built, this is CommonJS: it serves where it was started, and only offers to where the command line loads it.
if (require.main === module) void runMcp(process.argv.slice(2));
