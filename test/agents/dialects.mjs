import { chat } from "./dialects/chat.mjs";
import { gemini } from "./dialects/gemini.mjs";
import { messages } from "./dialects/messages.mjs";
import { responses } from "./dialects/responses.mjs";

/**
 * How a model API speaks.
 *
 * @typedef {object} Dialect
 * @property {RegExp} path
 * @property {(body: object) => number} countTools - that a request offers
 * @property {(body: object) => string[]} results - texts that tools gave, in a request
 * @property {(path: string) => boolean} [streams] - where the path tells and not the request
 * @property {(response: object, body: object, turn: Turn) => void} speak - answers a request
 *
 * @typedef {object} Turn
 * @property {number} n - number of the request
 * @property {{ input: number, cached: number, output: number }} usage - tokens; `input` leaves out `cached`
 * @property {boolean} streams
 * @property {string} [think]
 * @property {string} [text]
 * @property {{ name: string, namespace?: string, input: object | string }} [call]
 */
export const DIALECTS = [messages, responses, chat, gemini];
