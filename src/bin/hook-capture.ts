export { openHookCapture } from "../hook-capture.ts";
