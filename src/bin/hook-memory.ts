export { openHookMemory } from "../hook-memory.ts";
