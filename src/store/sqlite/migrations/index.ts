import { history } from "./001-history.ts";

/** In order; a store's schema number is how many of them it has had. */
export const migrations: readonly string[] = [history];
